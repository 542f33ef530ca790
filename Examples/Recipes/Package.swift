// swift-tools-version: 6.2
import PackageDescription

// The programs of the recipes among the guides, in a package of their own: one of them is isolated to the main actor by
// default. `swift run --package-path Examples/Recipes view-model`.
let tidings: [Target.Dependency] = ["Tidings", "TidingsState", "TidingsCollections", "TidingsInteractors"].map {
  .product(name: $0, package: "swift-tidings")
}

let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../..")
  ],
  targets: [
    .executableTarget(name: "view-model", dependencies: tidings),
    .executableTarget(name: "cart", dependencies: tidings),
    .executableTarget(name: "login", dependencies: tidings),
    .executableTarget(name: "list", dependencies: tidings),
    .executableTarget(name: "struct-or-values", dependencies: tidings),
    .executableTarget(name: "main-actor", dependencies: tidings, swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
