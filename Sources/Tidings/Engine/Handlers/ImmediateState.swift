/// What a list has whose emits overlap: what was taken out of it, until no emit can see it any more.
struct ImmediateState: ~Copyable {
  /// What waits until the readers of the previous epoch have left. What was taken out since waits for the next epoch.
  var resting = RetiredObjects()
}
