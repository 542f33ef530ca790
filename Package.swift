// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "swift-tidings",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // Typed events, delivered by a written contract. All that most programs need.
    .library(name: "Tidings", targets: ["Tidings"]),
    // Delivery to a dispatch queue, for code without actors.
    .library(name: "TidingsDispatch", targets: ["TidingsDispatch"]),
    // The contract as checks that run on any event type. For test targets.
    .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
    // A walk through the library on real prices.
    .executable(name: "tour", targets: ["tour"]),
  ],
  targets: [
    .target(name: "CTidings"),
    .target(name: "Tidings", dependencies: ["CTidings"], swiftSettings: strict),
    .target(name: "TidingsDispatch", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsTesting", dependencies: ["Tidings"], swiftSettings: strict),
    .executableTarget(
      name: "tour", dependencies: ["Tidings"], path: "Tour", exclude: ["Resources/README.md"],
      resources: [.copy("Resources/stocks.csv")], swiftSettings: strict),
    .testTarget(
      name: "TidingsTests", dependencies: ["Tidings", "TidingsDispatch"], swiftSettings: strict),
    .testTarget(
      name: "ContractTests", dependencies: ["Tidings", "TidingsTesting"], swiftSettings: strict),
    .testTarget(name: "TourTests", dependencies: ["tour"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
