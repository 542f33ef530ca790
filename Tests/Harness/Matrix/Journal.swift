import Synchronization
import Tidings

enum Locals {
  /// The number of the emission, which the library is asked to propagate.
  @TaskLocal static var carried = 0
  /// The same, which it is not asked to propagate.
  @TaskLocal static var plain = 0
}

/// A call of a handler: its value, and the number of the emission whose task-local values it saw.
struct Call: Hashable, Sendable, CustomStringConvertible {
  var value: Int
  var emission: Int
  var description: String { "\(value)@\(emission)" }
}

/// The begin or the end of a call of a handler, as it is seen or as it is expected.
enum Entry: Hashable, Sendable, CustomStringConvertible {
  case begin(Call)
  case end(Call)

  var description: String {
    switch self {
    case .begin(let call): "\(call)"
    case .end(let call): "/\(call.value)"
    }
  }
}

/// The notes that are taken while a cell runs.
final class Journal: Sendable {
  struct State {
    var entries: [[Entry]] = [[], [], []]
    /// How many entries of each handler there were when a wait returned, by the number of the wait.
    var returned: [Int: [Int]] = [:]
    var violations: [String] = []
    /// The act of the handler in its next call.
    var armed: (@Sendable () -> Void)?
    var suspended: [[CheckedContinuation<Void, Never>]] = [[], [], []]
    var endedLoops: Set<Int> = []
    /// The emission in whose task a handler has emitted another.
    var outer: [Int: Int] = [:]
  }
  private let state = Mutex(State())

  var current: State { state.withLock { $0 } }

  func add(_ entry: Entry, by handler: Int) { state.withLock { $0.entries[handler].append(entry) } }
  func addReturn(of wait: Int) { state.withLock { state in state.returned[wait] = state.entries.map(\.count) } }
  func addEnd(ofLoop handler: Int) { state.withLock { _ = $0.endedLoops.insert(handler) } }
  func outer(of emission: Int) -> Int? { state.withLock { $0.outer[emission] } }
  func addEmission(_ number: Int) { state.withLock { $0.outer[number] = Locals.plain } }
  func addViolation(_ text: String) { state.withLock { $0.violations.append(text) } }

  func arm(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.armed = body } }
  func takeArmed() -> (@Sendable () -> Void)? {
    state.withLock { state in
      defer { state.armed = nil }
      return state.armed
    }
  }

  /// Suspends the caller until it is released.
  func suspend(_ handler: Int) async {
    await withCheckedContinuation { continuation in state.withLock { $0.suspended[handler].append(continuation) } }
  }
  /// Resumes the suspended call of each handler.
  func release() -> Bool {
    let suspended = state.withLock { state in
      defer { state.suspended = [[], [], []] }
      return state.suspended.flatMap { $0 }
    }
    for continuation in suspended { continuation.resume() }
    return !suspended.isEmpty
  }
}

/// The closures of a handler call this.
struct Receiver: Sendable {
  let number: Int
  let journal: Journal
  let canary: Canary

  private func begin(_ value: Int) -> Call {
    let call = Call(value: value, emission: Locals.carried)
    let plain = Locals.plain
    if plain != 0, plain != call.emission, plain != journal.outer(of: call.emission) {
      journal.addViolation("\(call) saw those of \(plain)")
    }
    journal.add(.begin(call), by: number)
    if number == 0 { journal.takeArmed()?() }
    return call
  }
  func receive(_ value: Int) {
    let call = begin(value)
    journal.add(.end(call), by: number)
  }
  func receive(_ value: Int, isSuspended: Bool, isolation: isolated (any Actor)?) async {
    let call = begin(value)
    if isSuspended { await journal.suspend(number) } else { await VirtualPool.yield() }
    journal.add(.end(call), by: number)
  }
}

/// Tells whether what a handler captured has been released.
final class Canary: Sendable {
  private let onRelease: @Sendable () -> Void
  init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
  deinit { onRelease() }
}

/// A value that several closures share.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>
  init(_ value: Value?) { content = Mutex(value) }
  var value: Value? {
    get { content.withLock { $0 } }
    set {
      // Destroyed outside the lock.
      let old = content.withLock { content in
        defer { content = newValue }
        return content
      }
      withExtendedLifetime(old) {}
    }
  }
}
