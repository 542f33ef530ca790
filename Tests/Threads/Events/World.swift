/// Events, handlers and owners by number: the oracle's or the library's.
protocol World: AnyObject {
  /// Called by every handler, with its number and the value.
  var receives: (Int, Int) -> Void { get set }

  func makeEvent(_ event: Int)
  /// The last reference to the event is released; it may be delivering.
  func endEvent(_ event: Int)
  func makeOwner(_ owner: Int)
  func endOwner(_ owner: Int)
  func add(_ handler: Int, to event: Int, _ kind: HandlerKind)
  func emit(_ value: Int, on event: Int)
  func cancel(_ handler: Int)
  func pause(_ handler: Int)
  func resume(_ handler: Int)
  /// The token is dropped.
  func drop(_ handler: Int)
  func cancelAll(_ event: Int)
  func isActive(_ handler: Int) -> Bool
}

enum HandlerKind: Equatable {
  case plain
  /// After operators, which change nothing.
  case viewed
  case once
  case owned(Int)
}
