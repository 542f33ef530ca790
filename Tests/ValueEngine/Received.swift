import Foundation

@testable import ValueEngine

/// Records what handlers have received, in order.
final class Received<Element: Sendable>: @unchecked Sendable {  // `elements` is accessed under the lock
  private let lock = NSLock()
  private var elements: [Element] = []
  func add(_ element: Element) { lock.withLock { elements.append(element) } }
  var all: [Element] { lock.withLock { elements } }
  /// Everything since the last call.
  func take() -> [Element] {
    lock.withLock {
      defer { elements = [] }
      return elements
    }
  }
}

/// Keeps tokens until they are cancelled.
final class Tokens: @unchecked Sendable {  // `tokens` is accessed under the lock
  private let lock = NSLock()
  private var tokens: [ValueSubscription?] = []
  @discardableResult
  func keep(_ token: ValueSubscription) -> Int {
    lock.withLock {
      tokens.append(token)
      return tokens.count - 1
    }
  }
  /// Cancels one token, and drops it. It may be called by a handler.
  func cancel(_ index: Int) {
    let token = lock.withLock { index < tokens.count ? tokens[index].take() : nil }
    token?.cancel()
  }
  func cancelAll() {
    let all = lock.withLock {
      defer { tokens = [] }
      return tokens
    }
    for token in all { token?.cancel() }
  }
}

/// A change as a text: "1 2", or "- 2" for an initial value.
func text<Value>(_ old: Value?, _ new: Value) -> String { "\(old.map { "\($0)" } ?? "-") \(new)" }
