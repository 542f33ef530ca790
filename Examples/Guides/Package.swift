// swift-tools-version: 6.1
import PackageDescription

// The programs of the guides and the documentation comments, in a package of its own, so that a build of the library compiles
// none of them. `swift run --package-path Examples/Guides Prices`.
let package = Package(
  name: "Guides",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "Imports", targets: ["Imports"])],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../..")
  ],
  targets: [
    // SwiftPM builds each file in Snippets as a program, and links it with the library products of its package: with this one.
    .target(
      name: "Imports",
      dependencies: [
        "Tidings", "TidingsDispatch", "TidingsInteractors", "TidingsState", "TidingsCollections", "TidingsTime",
        "TidingsPersistence", "TidingsTesting",
      ].map { .product(name: $0, package: "swift-tidings") })
  ],
  swiftLanguageModes: [.v6]
)
