// swift-tools-version: 6.1
import PackageDescription

// Measures how much the transports between processes do in a second. This package is separate because it asks for the traits that
// its own traits are named after. The library's package and its other benchmarks then fetch none of the transports' dependencies.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Transports",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "SQLite", description: "The figures of the journal."),
    .trait(name: "NATS", description: "The figures of NATS, beside those of the client library alone."),
  ],
  dependencies: [
    .package(
      name: "swift-tidings", path: "../..",
      traits: [
        .trait(name: "SQLite", condition: .when(traits: ["SQLite"])),
        .trait(name: "NATS", condition: .when(traits: ["NATS"])),
      ]),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CNatsRaw", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    .executableTarget(
      name: "figures",
      dependencies: ["Tidings", "TidingsRemote", "TidingsJournal", "TidingsNATS"].map {
        .product(name: $0, package: "swift-tidings")
      } + [
        .target(name: "CNatsRaw", condition: .when(traits: ["NATS"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
