import TidingsTesting

/// An object that records that it was deinitialized. A value that another replaces may be kept until the computations that
/// were under way on other threads have ended, and tests run beside each other: so a test waits for the record.
final class Witness: Sendable {
  private let released: Recorder<Void>
  init(_ released: Recorder<Void>) { self.released = released }
  deinit { released(()) }
}
