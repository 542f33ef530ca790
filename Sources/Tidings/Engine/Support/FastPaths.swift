/// Whether the engine takes its fast paths: code for the usual case, beside general code that gives the same result.
/// Each is in a file of its own, `…+FastPath.swift`; the loop that validates has its usual case within it, behind `isUpToDate`.
///
/// A build with `-D TIDINGS_GENERAL_PATHS` takes the general code alone. So the randomised tests compare both with their oracles.
/// One with `-D TIDINGS_PORTABLE`, in Swift and in C, takes the code of other systems: pins with a fence as on arm64, and
/// parking without a futex; with TIDINGS_NO_IMMEDIATE_TASKS in the environment, no immediate tasks either, as before macOS 26.
@_alwaysEmitIntoClient
var takesFastPaths: Bool {
  @inline(__always) get {
    #if TIDINGS_GENERAL_PATHS
    false
    #else
    true
    #endif
  }
}
