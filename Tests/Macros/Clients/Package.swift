// swift-tools-version: 6.2
import PackageDescription

// Clients of the macros, each kind of isolation in a target of its own: one package, so that swift-syntax, which the trait
// fetches, is built once.
let macros: [Target.Dependency] = [.product(name: "TidingsMacros", package: "swift-tidings")]

func tests(
  _ name: String, also dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: macros + [.product(name: "TidingsTesting", package: "swift-tidings")] + dependencies, path: name,
    swiftSettings: settings.isEmpty ? [.enableUpcomingFeature("ExistentialAny")] : settings)
}

let package = Package(
  name: "Clients",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../../..", traits: ["Macros"]),
    .package(name: "Models", path: "../../../Examples/Models"),
  ],
  targets: [
    .target(name: "Library", dependencies: macros, path: "Library"),
    tests("ModelsTests"),
    // Built with the rest, and run by .ci/macros.
    tests(
      "ExamplesTests",
      also: ["cart", "order", "ticket"].map { .product(name: $0, package: "Models") }),
    tests("LibraryTests", also: ["Library"]),
    tests(
      "DefaultIsolationTests",
      [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    tests("Swift5Tests", [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)
