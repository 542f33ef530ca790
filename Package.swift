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
    // `Notifier<T>`, for code that was written for the notifier of "Simple Reactive".
    .library(name: "SimpleNotifier", targets: ["SimpleNotifier"]),
    // `EventDispatch<Event>` with its operators, for code that was written for EventDispatch.
    .library(name: "EventDispatching", targets: ["EventDispatching"]),
    // The contract as checks that run on any event type. For test targets.
    .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
    // A walk through the library on real prices.
    .executable(name: "tour", targets: ["tour"]),
  ],
  targets: [
    .target(name: "CTidings"),
    .target(name: "Tidings", dependencies: ["CTidings"], swiftSettings: strict),
    .target(name: "TidingsDispatch", dependencies: ["Tidings"], swiftSettings: strict),
    .target(
      name: "SimpleNotifier", dependencies: ["Tidings"], path: "Sources/Dialects/SimpleNotifier", swiftSettings: strict),
    .target(
      name: "EventDispatching", dependencies: ["Tidings"], path: "Sources/Dialects/EventDispatching",
      swiftSettings: strict),
    .target(name: "TidingsTesting", dependencies: ["Tidings"], swiftSettings: strict),
    .executableTarget(
      name: "tour", dependencies: ["Tidings"], path: "Tour", exclude: ["Resources/README.md"],
      resources: [.copy("Resources/stocks.csv")], swiftSettings: strict),
    .testTarget(
      name: "TidingsTests", dependencies: ["Tidings", "TidingsDispatch"], swiftSettings: strict),
    .testTarget(
      name: "ContractTests", dependencies: ["Tidings", "TidingsTesting"], swiftSettings: strict),
    .testTarget(name: "TourTests", dependencies: ["tour"], swiftSettings: strict),
    .testTarget(
      name: "SimpleNotifierTests", dependencies: ["SimpleNotifier", "Tidings", "TidingsTesting"], swiftSettings: strict),
    .testTarget(
      name: "SimpleNotifierSwift5Tests", dependencies: ["SimpleNotifier"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "EventDispatchingTests", dependencies: ["EventDispatching", "Tidings", "TidingsTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "EventDispatchingSwift5Tests", dependencies: ["EventDispatching"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "CoexistenceTests", dependencies: ["Tidings", "SimpleNotifier", "EventDispatching"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
