/// One event of the type under test, with the handlers that a check puts on it, each under a name.
///
/// Unchecked: an event that is not Sendable is used by one thread only, handlers included.
final class Trial<Source, Token>: @unchecked Sendable {
  typealias Subject = EventUnderTest<Source, Token>
  typealias Handler = @Sendable (Int) -> Void

  let type: Subject
  private var source: Source?
  private let tokens = Locked<[String: Token]>([:])
  private let calls = Locked<[(name: String, value: Int)]>([])

  private init(_ type: Subject) {
    self.type = type
    source = type.make()
  }

  /// Runs a check on a fresh event and takes the handlers off afterwards, for they hold the trial.
  static func run(_ type: Subject, _ body: (Trial) async -> Void) async {
    let trial = Trial(type)
    await body(trial)
    await trial.quiesce()
    let tokens = trial.tokens.withLock { tokens in
      defer { tokens = [:] }
      return tokens
    }
    for token in tokens.values { type.cancel(token) }
    trial.endEvent()
  }

  /// All received values in order, each after the name of its handler.
  var log: [String] { calls.current.map { "\($0.name)\($0.value)" } }

  func received(_ name: String) -> [Int] { calls.current.filter { $0.name == name }.map(\.value) }

  func note(_ name: String, _ value: Int) { calls.withLock { $0.append((name, value)) } }

  /// Adds a handler that notes what it receives and then runs `body`.
  func add(_ name: String, _ body: @escaping Handler = { _ in }) {
    addBare(name) { [self] value in
      note(name, value)
      body(value)
    }
  }

  /// Adds a handler that captures nothing of the trial's.
  func addBare(_ name: String, _ handler: @escaping Handler) {
    keep(name, type.add(open, handler))
  }

  func keep(_ name: String, _ token: Token) { tokens.withLock { $0[name] = token } }

  func emit(_ value: Int) { type.emit(open, value) }

  func cancel(_ name: String) {
    if let token = token(name) { type.cancel(token) }
  }

  func pause(_ name: String) {
    if let token = token(name) { type.pause?(token) }
  }

  func resume(_ name: String) {
    if let token = token(name) { type.resume?(token) }
  }

  func drop(_ name: String) { _ = tokens.withLock { $0.removeValue(forKey: name) } }

  func token(_ name: String) -> Token? { tokens.current[name] }

  var open: Source {
    guard let source else { preconditionFailure("the trial's event has ended") }
    return source
  }

  func gate() -> Gate { Gate(seconds: type.patience) }

  func elsewhere(_ body: @escaping @Sendable () -> Void) -> Bool {
    Threads.elsewhere(seconds: type.patience, body)
  }

  func endEvent() { source = nil }

  /// Waits until no delivery runs elsewhere. A thread that is returning from its last delivery still keeps the event, and the
  /// handlers that were removed meanwhile.
  func quiesce(_ canaries: Canaries) async {
    if type.quiesce != nil { _ = await canaries.quiesce() }
  }

  func quiesce() async {
    if let quiesce = type.quiesce, let source { await quiesce(source) }
  }
}
