/// The state of a list whose emits overlap: the objects that were removed from it, until no emit can see them any more.
struct ImmediateState: ~Copyable {
  /// Removed objects that wait until the readers of the previous epoch have left. Objects removed later wait for the next epoch.
  var resting = RetiredObjects()
}
