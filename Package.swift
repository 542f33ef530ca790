// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func dialect(_ name: String) -> Target {
  .target(name: name, dependencies: ["Tidings"], path: "Sources/Dialects/\(name)", swiftSettings: strict)
}

func tests(_ dialect: String) -> Target {
  .testTarget(
    name: dialect + "Tests", dependencies: [.init(stringLiteral: dialect), "Tidings", "TidingsTesting"],
    swiftSettings: strict)
}

/// The seed's programs, as a client in Swift 5 mode has them.
func swift5Tests(_ dialect: String) -> Target {
  .testTarget(
    name: dialect + "Swift5Tests", dependencies: [.init(stringLiteral: dialect), "TidingsTesting"],
    swiftSettings: [.swiftLanguageMode(.v5)])
}

let package = Package(
  name: "swift-tidings",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // Typed events and observable values, delivered by a written contract. All that most programs need.
    .library(name: "Tidings", targets: ["Tidings"]),
    // Delivery to a dispatch queue, for code without actors.
    .library(name: "TidingsDispatch", targets: ["TidingsDispatch"]),
    // The dialects: code written for an older observer library compiles against Tidings by changing an import.
    // `Event`, `Closure` and `NotifyPropertyChanged`, of "Observers, Events and Closures".
    .library(name: "ClosureEvents", targets: ["ClosureEvents"]),
    // `Notifier<T>`, of "Simple Reactive".
    .library(name: "SimpleNotifier", targets: ["SimpleNotifier"]),
    // `EventDispatch<Event>` with its operators, of EventDispatch.
    .library(name: "EventDispatching", targets: ["EventDispatching"]),
    // `Subject` and `Observer`, of "Observer Design Pattern"; with `MulticastDelegate`.
    .library(name: "SubjectObserver", targets: ["SubjectObserver"]),
    // `Observable<T>`, `Event<T>`, chains and operators, of Observable-Swift.
    .library(name: "ObservableSwift", targets: ["ObservableSwift"]),
    // The contract as checks that run on any event type. For test targets.
    .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
    // A walk through the library on real prices.
    .executable(name: "tour", targets: ["tour"]),
  ],
  targets: [
    .target(name: "CTidings"),
    .target(name: "Tidings", dependencies: ["CTidings"], swiftSettings: strict),
    .target(name: "TidingsDispatch", dependencies: ["Tidings"], swiftSettings: strict),
    dialect("ClosureEvents"),
    dialect("SimpleNotifier"),
    dialect("EventDispatching"),
    dialect("SubjectObserver"),
    dialect("ObservableSwift"),
    .target(name: "TidingsTesting", dependencies: ["Tidings"], swiftSettings: strict),
    .executableTarget(
      name: "tour",
      dependencies: [
        "Tidings", "ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver", "ObservableSwift",
      ], path: "Tour", exclude: ["Resources/README.md"],
      resources: [.copy("Resources/stocks.csv")], swiftSettings: strict),
    .testTarget(
      name: "TidingsTests", dependencies: ["Tidings", "TidingsDispatch", "TidingsTesting"], swiftSettings: strict),
    .testTarget(
      name: "ContractTests", dependencies: ["Tidings", "TidingsTesting"], swiftSettings: strict),
    .testTarget(name: "TourTests", dependencies: ["tour"], swiftSettings: strict),
    tests("ClosureEvents"),
    tests("SimpleNotifier"),
    tests("EventDispatching"),
    tests("SubjectObserver"),
    tests("ObservableSwift"),
    swift5Tests("ClosureEvents"),
    swift5Tests("SimpleNotifier"),
    swift5Tests("EventDispatching"),
    swift5Tests("SubjectObserver"),
    swift5Tests("ObservableSwift"),
    .testTarget(
      name: "CoexistenceTests",
      dependencies: [
        "Tidings", "ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver", "ObservableSwift",
      ], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
