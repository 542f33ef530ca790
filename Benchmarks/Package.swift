// swift-tools-version: 6.1
import PackageDescription

// Measuring needs this separate package: it depends on the peers, and the library itself depends on nothing.
//
// The contenders are compiled as in a client of the library: without unusual compiler settings, except one in `bench`. The handlers
// of all contenders do the same. The compiler would keep the code of one and let the others jump there, some of them twice. In a
// real program the handlers differ.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "swift-tidings", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
  ],
  targets: [
    // Clock, sampling, statistics, report. Knows nothing of events.
    .target(name: "Harness", dependencies: ["CSystem"], swiftSettings: strict),
    // Heap and clocks, as Swift's view of the C library does not show them all.
    .target(name: "CSystem"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Harness",
        .product(name: "Tidings", package: "swift-tidings"),
        .product(name: "TidingsCollections", package: "swift-tidings"),
        .product(name: "ClosureEvents", package: "swift-tidings"),
        .product(name: "SimpleNotifier", package: "swift-tidings"),
        .product(name: "EventDispatching", package: "swift-tidings"),
        .product(name: "SubjectObserver", package: "swift-tidings"),
        .product(name: "ObservableSwift", package: "swift-tidings"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-llvm-merge-functions-pass"])]),
  ],
  swiftLanguageModes: [.v6]
)
