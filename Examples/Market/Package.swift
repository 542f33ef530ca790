// swift-tools-version: 6.1
import PackageDescription

// Two processes that share a market, in a package of its own, as nothing else needs them.
// `swift run --package-path Examples/Market --traits SQLite market publish`, `… follow`.
let package = Package(
  name: "Market",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "SQLite", description: "Through a file, without a server."),
    .trait(name: "NATS", description: "Through a NATS broker; needs the library libnats."),
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
    .executableTarget(
      name: "market",
      dependencies: ["Tidings", "TidingsRemote", "TidingsJournal", "TidingsNATS"].map {
        .product(name: $0, package: "swift-tidings")
      })
  ],
  swiftLanguageModes: [.v6]
)
