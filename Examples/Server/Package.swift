// swift-tools-version: 6.2
import PackageDescription

// The program of the recipe "A server that streams", in a package of its own, as nothing else here needs a server.
// `swift run --package-path Examples/Server prices`.
let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "prices",
      dependencies: [
        .product(name: "Tidings", package: "swift-tidings"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
