/// The model of a cell, which runs the same script as the library.
protocol Oracle: AnyObject {
  var results: [Result] { get }
  var waits: [Wait] { get }
  /// Whether a call has begun that lasts until it is released.
  var isSuspended: Bool { get }

  func emit(isOnActor: Bool)
  func emitSecond()
  func run()
  func release()
  func perform(_ act: Act)
  func arm(_ act: Act)
  func resume()
  /// Whether the calls that a handler has received are those that are expected.
  func agree(_ seen: [Entry], _ expected: [Entry]) -> Bool
}
extension Oracle {
  func emitSecond() {}
  func agree(_ seen: [Entry], _ expected: [Entry]) -> Bool { seen == expected }
}
/// The expected state of a subscription.
struct Result {
  let number: Int
  let entries: [Entry]
  let loopHasEnded: Bool
  let isActive: Bool
}
