// swift-tools-version: 6.2
import PackageDescription

// A server with a page of live charts, in a package of its own, as nothing else here needs a server.
// `swift run --package-path Examples/MarketServer market-server`.
let package = Package(
  name: "MarketServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../..", traits: ["Server", "Inspector"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
  ],
  targets: [
    .executableTarget(
      name: "market-server",
      dependencies: [
        .product(name: "Tidings", package: "swift-tidings"),
        .product(name: "TidingsServer", package: "swift-tidings"),
        .product(name: "TidingsInspector", package: "swift-tidings"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ], resources: [.copy("Page")])
  ],
  swiftLanguageModes: [.v6]
)
