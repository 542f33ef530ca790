// swift-tools-version: 6.1
import PackageDescription

// Three programs with models, in a package of their own: the macros need the trait, and the package of the library stays
// without it. `swift run cart`, `swift run ticket`, `swift run order`.
let macros: [Target.Dependency] = [.product(name: "TidingsMacros", package: "swift-tidings")]

let package = Package(
  name: "Models",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "cart", targets: ["cart"]),
    .executable(name: "order", targets: ["order"]),
    .executable(name: "ticket", targets: ["ticket"]),
  ],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../..", traits: ["Macros"])
  ],
  targets: [
    .executableTarget(name: "cart", dependencies: macros),
    .executableTarget(name: "order", dependencies: macros),
    .executableTarget(name: "ticket", dependencies: macros),
  ],
  swiftLanguageModes: [.v6]
)
