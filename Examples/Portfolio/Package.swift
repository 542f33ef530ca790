// swift-tools-version: 6.1
import PackageDescription

// A portfolio with a page in a browser, and the same models in SwiftUI. In two terminals:
// `swift run --package-path Examples/Portfolio portfolio prices /tmp/market.db`, `… portfolio serve /tmp/market.db`.
let parts = ["", "State", "Collections", "Interactors", "Persistence", "Time", "Remote", "Journal", "Observation"]
let tidings = parts.map { Target.Dependency.product(name: "Tidings" + $0, package: "swift-tidings") }

let package = Package(
  name: "Portfolio", platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: "../..", traits: ["SQLite"]),
    .package(url: "https://github.com/swhitty/FlyingFox.git", from: "0.27.1"),
  ],
  targets: [
    .target(name: "PortfolioModels", dependencies: tidings),
    .executableTarget(
      name: "portfolio",
      dependencies: ["PortfolioModels", .product(name: "FlyingFox", package: "FlyingFox")] + tidings,
      resources: ["html", "css", "js"].map { .embedInCode("Page/page.\($0)") }),
    .target(name: "PortfolioViews", dependencies: ["PortfolioModels"] + tidings, path: "SwiftUI"),
  ], swiftLanguageModes: [.v6])

#if os(Linux)
// There is no SwiftUI here: the views are compiled against the declarations that they use.
package.targets.append(.target(name: "SwiftUI", path: "Stubs"))
package.targets.first { $0.name == "PortfolioViews" }?.dependencies.append("SwiftUI")
#endif
