// swift-tools-version: 6.1
import PackageDescription

// What the transports between processes do in a second, in a package of its own: it asks for the traits that its own are
// called after, so that the package of the library and its other benchmarks fetch nothing of theirs.
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
