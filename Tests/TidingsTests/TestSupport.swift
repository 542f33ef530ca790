import Foundation

/// A value behind a lock. Of Foundation's, for a thread sanitizer takes the standard library's for a race on Linux.
final class Box<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var held: Value

  init(_ value: Value) { held = value }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&held) } }

  var value: Value {
    get { lock.withLock { held } }
    set {
      // The old value ends outside the lock, for its end may come back here.
      let old = lock.withLock {
        defer { held = newValue }
        return held
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// What handlers heard, in order.
final class Log<Value: Sendable>: Sendable {
  private let box = Box<[Value]>([])

  var values: [Value] { box.value }

  func callAsFunction(_ value: Value) { box.withLock { $0.append(value) } }
}

/// Holds threads up until it is opened. Nobody waits for ever, so a stuck test fails and does not hang.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  @discardableResult
  func wait(seconds: TimeInterval = 120) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while !isOpen { if !condition.wait(until: limit) { return isOpen } }
      return true
    }
  }
}

/// Threads to hold up and to race.
enum Threads {
  static func start(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

  /// Runs `body` on another thread and waits for it. False when it is stuck.
  @discardableResult
  static func elsewhere(_ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = Gate()
    start {
      body()
      ended.open()
    }
    return ended.wait()
  }

  /// Runs `body` on `count` threads that start together, and waits for all of them.
  static func together(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let started = Gate()
    let ended = (0..<count).map { _ in Gate() }
    for index in 0..<count {
      start {
        started.wait()
        body(index)
        ended[index].open()
      }
    }
    started.open()
    for gate in ended { gate.wait(seconds: 120) }
  }
}

/// Counts objects that live, to see when captures are released.
final class Canaries: Sendable {
  private let count = Box(0)

  var alive: Int { count.value }

  func make() -> Canary {
    count.withLock { $0 += 1 }
    return Canary(count)
  }
}

final class Canary: Sendable {
  private let count: Box<Int>

  fileprivate init(_ count: Box<Int>) { self.count = count }

  deinit { count.withLock { $0 -= 1 } }

  /// A closure that calls it holds it, optimised or not.
  @inline(never)
  func touch() {}
}

final class Owner: Sendable {}

/// Does something when it ends.
final class Farewell: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  @inline(never)
  func touch() {}
}

actor Listener {
  private(set) var heard: [Int] = []

  func note(_ value: Int) { heard.append(value) }

  func run<Result: Sendable>(_ body: @Sendable (isolated Listener) -> Result) -> Result { body(self) }
}
