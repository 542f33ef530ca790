// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that what the guide shows with async-algorithms is run and the library itself depends on nothing.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Time",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .testTarget(
      name: "TimeTests",
      dependencies: [
        .product(name: "Tidings", package: "swift-tidings"),
        .product(name: "TidingsTesting", package: "swift-tidings"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ],
      path: "Tests",
      swiftSettings: strict)
  ],
  swiftLanguageModes: [.v6]
)
