/// Whether two errors are equal. Errors that cannot be compared are always different.
func saysTheSame(_ old: (any Error)?, _ new: (any Error)?) -> Bool {
  guard let old, let new else { return old == nil && new == nil }
  func compare<Known: Equatable>(_: Known.Type) -> Bool {
    guard let old = old as? Known, let new = new as? Known else { return false }
    return old == new
  }
  // The type is asked and not the error: any error can be cast to an NSError, whose comparison is too coarse.
  return (type(of: old) as? any Equatable.Type).map { compare($0) } ?? false
}
