import Foundation
import TidingsTesting

extension Runs {
  /// The size of a test that is long on one thread: `full` when `TIDINGS_FULL` is 1, which is for long checks such as
  /// `.ci/full`, and else `usual`, at which the test still finds the faults that it is there for.
  static func size(_ usual: Int, full: Int) -> Int {
    ProcessInfo.processInfo.environment["TIDINGS_FULL"] == "1" ? full : usual
  }
}
