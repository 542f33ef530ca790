#if TIDINGS_EXPLORED
/// A few threads' work that is run again and again, with another interleaving each time.
struct Scenario: Sendable {
  /// One run: made again each time.
  struct Round: Sendable {
    let threads: [@Sendable () -> Void]
    /// Returns what is wrong after all threads have ended, or nil.
    let violation: @Sendable () -> String?
  }
  /// The claim that the scenario proves, with the number of the sentence.
  let name: String
  let round: @Sendable () -> Round

  init(_ name: String, _ round: @escaping @Sendable () -> Round) { (self.name, self.round) = (name, round) }
}
#endif
