// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A client of the inspector: what it is tested with, as the trait is off in the package itself.
let package = Package(
  name: "inspector-client", platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-tidings", path: "../../..", traits: ["Inspector"]),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
  ],
  targets: [
    // A program with known rates and edges, and with each mistake that is warned of.
    .executableTarget(
      name: "demo",
      dependencies: [
        .product(name: "Tidings", package: "swift-tidings"),
        .product(name: "TidingsInspector", package: "swift-tidings"),
      ], swiftSettings: strict),
    .testTarget(
      name: "GateTests",
      dependencies: [
        .product(name: "TidingsInspector", package: "swift-tidings"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "guide", dependencies: [.product(name: "TidingsInspector", package: "swift-tidings")], swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
