import TidingsTesting

/// An object that records that it was deinitialized. Computations in progress on other threads may keep a replaced value until they
/// end, and tests run beside each other: so a test waits for the record.
final class Witness: Sendable {
  private let released: Recorder<Void>
  init(_ released: Recorder<Void>) { self.released = released }
  deinit { released(()) }
}
