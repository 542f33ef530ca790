// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// All five, for tests.
let dialects: [Target.Dependency] = [
  "ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver", "ObservableSwift",
]

/// A target that uses the core, in a folder of those of its kind.
func target(_ name: String, in folder: String, also dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: ["Tidings"] + dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: strict)
}

// Each of these belongs to a trait. Without the trait a client does not even fetch it.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"]))

let swiftSyntax = [
  "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
].map { Target.Dependency.product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }

let grdb = ["GRDB", "GRDBSQLite"].map {
  Target.Dependency.product(name: $0, package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
}

let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Service"]))

let flyingFox = ["FlyingFox", "FlyingSocks"].map {
  Target.Dependency.product(name: $0, package: "FlyingFox", condition: .when(traits: ["Inspector"]))
}

let server: [Target.Dependency] = [
  .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
  .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
  .product(name: "ServiceContextModule", package: "swift-service-context", condition: .when(traits: ["Server"])),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
]

/// Tests are in folders that mirror those of the sources.
func tests(_ target: String, in folder: String = "", also dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: target + "Tests", dependencies: [.init(stringLiteral: target), "Tidings", "TidingsTesting"] + dependencies,
    path: "Tests/\(folder)\(target)", swiftSettings: strict)
}

let package = Package(
  name: "swift-tidings",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // Typed events and observable values, delivered by a written contract. All that most programs need.
    .library(name: "Tidings", targets: ["Tidings"]),
    // Delivery to a dispatch queue, for code without actors.
    .library(name: "TidingsDispatch", targets: ["TidingsDispatch"]),
    // Two-way editing of a value through a text control: formats by locale, validation, forms.
    .library(name: "TidingsInteractors", targets: ["TidingsInteractors"]),
    // Additions for an application's state: async derived values, scopes, undo and redo.
    .library(name: "TidingsState", targets: ["TidingsState"]),
    // Values that are saved: in a file, in UserDefaults, or in memory for tests.
    .library(name: "TidingsPersistence", targets: ["TidingsPersistence"]),
    // Operators with a clock: debounced, throttled, delayed, sampled, with a timeout.
    .library(name: "TidingsTime", targets: ["TidingsTime"]),
    // Arrays and dictionaries whose changes are differences, not whole copies to compare.
    .library(name: "TidingsCollections", targets: ["TidingsCollections"]),
    // The bridges, both ways, between Tidings and the platforms.
    // Values seen by `withObservationTracking`, `Observations` and SwiftUI; `@Observable` models read by `Derived`.
    .library(name: "TidingsObservation", targets: ["TidingsObservation"]),
    // Notifications of Foundation's `NotificationCenter` as typed events, and events posted as notifications.
    .library(name: "TidingsNotifications", targets: ["TidingsNotifications"]),
    // Events as publishers and publishers as events: Combine, or OpenCombine with the trait of that name.
    .library(name: "TidingsCombine", targets: ["TidingsCombine"]),
    // A class of observed properties as plain declarations: macros, with the trait `Macros`.
    .library(name: "TidingsMacros", targets: ["TidingsMacros"]),
    // Events and values that several processes share; with a transport within one process, for tests.
    .library(name: "TidingsRemote", targets: ["TidingsRemote"]),
    // A file that processes of one machine share, as a transport; with the trait `SQLite`.
    .library(name: "TidingsJournal", targets: ["TidingsJournal"]),
    // A NATS broker as a transport, between machines; with the trait `NATS`.
    .library(name: "TidingsNATS", targets: ["TidingsNATS"]),
    // A relay that is closed when its program shuts down, for swift-service-lifecycle; with the trait `Service`.
    .library(name: "TidingsService", targets: ["TidingsService"]),
    // Shows the events and values of a running program, in a browser or as a table; with the trait `Inspector`.
    .library(name: "TidingsInspector", targets: ["TidingsInspector"]),
    // The same table in a terminal.
    .executable(name: "tidings-inspect", targets: ["tidings-inspect"]),
    // Metrics and log messages of a program's events, values, streams and hooks, for servers; with the trait `Server`.
    .library(name: "TidingsServer", targets: ["TidingsServer"]),
    // For test targets of transports: the checks that a transport passes.
    .library(name: "TidingsRemoteTesting", targets: ["TidingsRemoteTesting"]),
    // The dialects: code written for an older observer library compiles after a change of its import.
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
    // For test targets: recordings, a manual queue and clock, leaked subscriptions; the contract as checks for any event type.
    .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
    // A tour of the library on real prices.
    .executable(name: "tour", targets: ["tour"]),
  ],
  traits: [
    .trait(name: "OpenCombine", description: "TidingsCombine on platforms without Combine."),
    .trait(name: "Macros", description: "The macros of TidingsMacros, which are built with swift-syntax."),
    .trait(name: "Inspector", description: "TidingsInspector: a page that shows a running program."),
    .trait(name: "SQLite", description: "TidingsJournal: events and values through a file, between processes."),
    .trait(name: "Service", description: "TidingsService: a relay as a service of swift-service-lifecycle."),
    .trait(
      name: "Server", description: "TidingsServer: metrics and logs, for swift-metrics, swift-log and ServiceLifecycle."
    ),
    .trait(
      name: "NATS", description: "TidingsNATS: events and values through a NATS broker; needs the library libnats."),
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    // A wide range: the other macros of a client decide on the version.
    .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.1"..<"605.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-service-context.git", from: "1.2.0"),
  ],
  targets: [
    .target(name: "CTidings"),
    .target(name: "Tidings", dependencies: ["CTidings"], swiftSettings: strict),
    // The value engine without graphs, which no product contains yet; its page is Sources/ValueEngine/README.md.
    .target(name: "CValueEngine", path: "Sources/ValueEngine/CValueEngine"),
    .target(
      name: "ValueEngine", dependencies: ["CValueEngine"], path: "Sources/ValueEngine/Engine", swiftSettings: strict),
    // Compares the two; built when asked for, see the end of this file.
    .executableTarget(
      name: "value-rows", dependencies: ["Tidings", "ValueEngine"], path: "Benchmarks/ValueRows", swiftSettings: strict),
    .target(name: "TidingsDispatch", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsInteractors", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsState", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsCollections", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsTime", dependencies: ["Tidings"], swiftSettings: strict),
    .target(name: "TidingsPersistence", dependencies: ["Tidings", "TidingsTime"], swiftSettings: strict),
    target("TidingsObservation", in: "Bridges"),
    target("TidingsNotifications", in: "Bridges"),
    target("TidingsCombine", in: "Bridges", also: [openCombine]),
    target("TidingsMacros", in: "Macros", also: ["TidingsObservation", "TidingsMacrosPlugin"]),
    .macro(
      name: "TidingsMacrosPlugin", dependencies: swiftSyntax, path: "Sources/Macros/TidingsMacrosPlugin",
      swiftSettings: strict),
    target("TidingsRemote", in: "Remote"),
    target("TidingsJournal", in: "Remote", also: ["TidingsRemote"] + grdb),
    // The system's client library of NATS.
    .systemLibrary(
      name: "CNats", path: "Sources/Remote/CNats", pkgConfig: "libnats",
      providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    target(
      "TidingsNATS", in: "Remote", also: ["TidingsRemote", .target(name: "CNats", condition: .when(traits: ["NATS"]))]),
    target("TidingsService", in: "Remote", also: ["TidingsRemote", serviceLifecycle]),
    target("TidingsRemoteTesting", in: "Remote", also: ["TidingsRemote", "TidingsTesting"]),
    target("TidingsServer", in: "Server", also: ["TidingsRegistry"] + server),
    // The registry of live objects and of the time that their handlers take: shared by the products that show or export it.
    target("TidingsRegistry", in: "Inspector"),
    .target(
      name: "TidingsInspector", dependencies: ["Tidings", "TidingsRegistry"] + flyingFox,
      path: "Sources/Inspector/TidingsInspector",
      resources: ["html", "css", "js"].map { .embedInCode("Page/page.\($0)") } + [.embedInCode("Page/drawing.js")],
      swiftSettings: strict),
    .executableTarget(
      name: "tidings-inspect", dependencies: flyingFox, path: "Sources/Inspector/tidings-inspect",
      swiftSettings: strict),
    // The additions to an event that only dialects need.
    target("DialectSupport", in: "Dialects"),
    target("ClosureEvents", in: "Dialects", also: ["DialectSupport"]),
    target("SimpleNotifier", in: "Dialects"),
    target("EventDispatching", in: "Dialects"),
    target("SubjectObserver", in: "Dialects", also: ["DialectSupport"]),
    target("ObservableSwift", in: "Dialects"),
    .target(name: "TidingsTesting", dependencies: ["Tidings"], swiftSettings: strict),
    .executableTarget(
      name: "tour",
      dependencies: [
        "Tidings", "TidingsInteractors", "ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver",
        "ObservableSwift",
      ], path: "Tour", exclude: ["Resources/README.md"],
      resources: [.copy("Resources/stocks.csv")], swiftSettings: strict),
    .testTarget(
      name: "ValueEngineTests", dependencies: ["ValueEngine", "CSuppressions"], path: "Tests/ValueEngine",
      swiftSettings: strict),
    // For several test targets of the core.
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
    // The suppressions of the thread sanitizer.
    .target(name: "CSuppressions", path: "Tests/Threads/CSuppressions"),
    .testTarget(
      name: "TidingsTests",
      dependencies: ["Tidings", "TidingsDispatch", "TidingsTesting", "TestSupport", "CSuppressions"],
      path: "Tests/Tidings", swiftSettings: strict),
    // Randomised programs and races of the core: what threads do to one another.
    .testTarget(
      name: "ThreadsTests",
      dependencies: ["Tidings", "TidingsDispatch", "TidingsTesting", "TestSupport", "CSuppressions"],
      path: "Tests/Threads", exclude: ["CSuppressions"], swiftSettings: strict),
    .testTarget(
      name: "ContractTests", dependencies: ["Tidings", "TidingsTesting"], path: "Tests/Contract", swiftSettings: strict),
    .testTarget(
      name: "TidingsTestingTests", dependencies: ["Tidings", "TidingsTesting"], path: "Tests/TidingsTesting",
      swiftSettings: strict),
    tests("TidingsInteractors", also: ["TidingsState", "TidingsCollections"]),
    .testTarget(
      name: "StateAndCollectionsTests",
      dependencies: [
        "Tidings", "TidingsState", "TidingsCollections", "TidingsTime", "TidingsPersistence", "TidingsTesting",
        "persistence-writer",
      ], path: "Tests/StateAndCollections", exclude: ["PersistenceWriter"], swiftSettings: strict),
    // A process that saves values until it is killed.
    .executableTarget(
      name: "persistence-writer", dependencies: ["Tidings", "TidingsCollections", "TidingsPersistence"],
      path: "Tests/StateAndCollections/PersistenceWriter", swiftSettings: strict),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "Tidings", "TidingsObservation", "TidingsNotifications", "TidingsCombine", "TidingsTesting", openCombine,
      ], path: "Tests/Bridges", swiftSettings: strict),
    tests("TidingsRegistry", in: "Inspector/", also: ["CRegistryStart"]),
    // Starts the registry before the tests, when asked to.
    .target(name: "CRegistryStart", path: "Tests/Inspector/CRegistryStart"),
    tests("TidingsRemote", in: "Remote/", also: ["TidingsRemoteTesting"]),
    .testTarget(name: "TourTests", dependencies: ["tour"], path: "Tests/Tour", swiftSettings: strict),
    .testTarget(
      name: "DialectTests", dependencies: ["Tidings", "TidingsTesting"] + dialects, path: "Tests/Dialects",
      exclude: ["Swift5"], swiftSettings: strict),
    // The originals' programs, as a client in Swift 5 mode has them.
    .testTarget(
      name: "Swift5Tests", dependencies: ["TidingsTesting"] + dialects, path: "Tests/Dialects/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests of products have a build of their own, so that `swift test` is quick and a change of the core does not wait for them.
let testsOfProducts = [
  "TidingsInteractorsTests", "StateAndCollectionsTests", "persistence-writer", "BridgeTests", "TidingsRegistryTests",
  "CRegistryStart",
  "TidingsRemoteTests", "DialectTests", "Swift5Tests",
]
let testsOfCore = ["TidingsTests", "ThreadsTests", "ContractTests", "TidingsTestingTests", "TourTests"]
// The next value engine, and the rows that compare the engines.
let experiment = ["CValueEngine", "ValueEngine", "ValueEngineTests", "value-rows"]

/// With these values of `TIDINGS_TARGETS` the package lacks some targets.
let leftOut = [
  "all": experiment,
  "products": experiment + testsOfCore,
]
/// With these it has the named targets alone, and no dependencies: see .ci/tests. `contract` is the core with the tests of the contract
/// and of threads, `core` has all its tests.
let contract = [
  "CTidings", "Tidings", "TidingsDispatch", "TidingsTesting", "TestSupport", "CSuppressions", "ContractTests",
  "ThreadsTests",
]
let alone = [
  "core": contract + ["TidingsTests"],
  "contract": contract,
  "values": ["CValueEngine", "ValueEngine", "CSuppressions", "ValueEngineTests"],
  "value-rows": ["CTidings", "Tidings", "CValueEngine", "ValueEngine", "value-rows"],
]
let choice = Context.environment["TIDINGS_TARGETS"] ?? ""
if let part = alone[choice] {
  // To optimise the tests of the contract takes longer than all else of a release build; what they test is optimised. A client
  // never sees this.
  for target in package.targets where target.name == "ContractTests" {
    target.swiftSettings! += [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  }
  package.products.removeAll { !part.contains($0.name) }
  package.targets.removeAll { !part.contains($0.name) }
  (package.dependencies, package.traits) = ([], [])
} else {
  let absent = leftOut[choice] ?? experiment + testsOfProducts
  package.targets.removeAll { absent.contains($0.name) }
}
