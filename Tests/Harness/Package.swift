// swift-tools-version: 6.1
import PackageDescription

// Programs that take longer than tests. This package is separate, so that the library's builds compile none of them; see README.md.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func tidings(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "swift-tidings") }
}

let package = Package(
  name: "Harness",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  traits: [
    .trait(name: "SQLite", description: "The journal, for `kills`."),
    .trait(name: "NATS", description: "A broker, for `kills`; needs the library libnats."),
  ],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(
      name: "swift-tidings", path: "../..",
      traits: [
        .trait(name: "SQLite", condition: .when(traits: ["SQLite"])),
        .trait(name: "NATS", condition: .when(traits: ["NATS"])),
      ])
  ],
  targets: [
    // The interleavings of small scenarios, one after the other.
    .executableTarget(
      name: "explore", dependencies: tidings("Tidings", "TidingsTesting"), path: "Explorer",
      exclude: ["Faults", "plant"],
      swiftSettings: strict),
    // The contract as a matrix: sources, operators, handlers and what is done to them, each beside a model.
    .executableTarget(
      name: "matrix", dependencies: tidings("Tidings", "TidingsTesting"), path: "Matrix", exclude: ["plant"],
      swiftSettings: strict),
    // Checks on a machine that is short of stack, cores, time or memory.
    .executableTarget(
      name: "faults", dependencies: tidings("Tidings"), path: "Faults", exclude: ["faults", "README.md"],
      swiftSettings: strict),
    // A mixed load for hours, and very many objects.
    .executableTarget(
      name: "soak",
      dependencies: tidings(
        "Tidings", "TidingsDispatch", "TidingsState", "TidingsCollections", "TidingsInteractors", "TidingsRemote",
        "TidingsRemoteTesting", "ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver",
        "ObservableSwift"),
      path: "Soak", exclude: ["soak", "README.md"], swiftSettings: strict),
    // Processes that share a journal or a broker and are killed; with the traits `SQLite` and `NATS`, as Kills/kills builds it.
    .executableTarget(
      name: "kills", dependencies: tidings("Tidings", "TidingsRemote", "TidingsJournal", "TidingsNATS"), path: "Kills",
      exclude: ["clock.c", "kills", "outsider"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
