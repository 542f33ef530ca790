import Harness

/// A type that calls handlers.
///
/// Every contender forms the handler itself, as a closure literal at the call of its own API, as a client does. Some contenders
/// would wrap a closure that is passed on as a value once more.
///
/// Every contender also has the emitting loop in its own code. A generic loop over contenders would call each through one more
/// function.
protocol Contender {
  associatedtype Token
  static var name: String { get }
  init()
  func subscribe(_ tally: Tally) -> Token
  func emit(_ payloads: Range<Int>)
}

/// One that can remove a single handler.
protocol Cancelling: Contender {
  func cancel(_ token: Token)
}

/// One that two threads may use simultaneously.
protocol Shared: Contender, Sendable {
  /// A handler that writes nothing shared, so that the contention measured is the contender's own.
  func subscribe(_ watch: Watch) -> Token
}

/// The work of every handler: it adds its payload.
///
/// `Tally` is a bare pointer, for two reasons. A closure that captures a single object uses that object as its context, and all
/// handlers would then share one. A closure that captures a plain word gets its own context, as most closures of real programs
/// have. A stored `var` of a class would also add a run-time check that belongs to no contender.
///
/// The word that the pointer refers to is never freed: there is one per sample. It has two cache lines to itself, so that no other
/// thread writes them.
struct Tally: @unchecked Sendable {
  private let sum: UnsafeMutablePointer<Int>

  init() {
    sum = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
      .bindMemory(to: Int.self, capacity: 1)
    sum.initialize(to: 0)
  }

  var total: Int { sum.pointee }

  @inline(__always) func add(_ payload: Int) { sum.pointee &+= payload }
}
