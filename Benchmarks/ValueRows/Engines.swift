import Tidings
import ValueEngine

/// The rows use these parts of an engine. Both are called through it, specialised for each.
protocol Engine: SendableMetatype {
  associatedtype S: AnyObject & Sendable
  associatedtype D: AnyObject & Sendable
  static func source(_ value: Int) -> S
  static func derived(_ compute: @escaping @Sendable () -> Int) -> D
  static func get(_ source: S) -> Int
  static func get(_ derived: D) -> Int
  static func set(_ source: S, _ value: Int)
  static func increment(_ source: S)
  static func set(_ all: [S], _ value: Int)
  /// Calls a handler with each new value while what is returned is kept.
  static func observe(_ source: S, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject
  static func observe(_ derived: D, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject
}

/// The engine of the library.
enum Today: Engine {
  typealias S = Observed<Int>
  typealias D = Derived<Int>
  @inline(__always) static func source(_ value: Int) -> S { Observed(value) }
  @inline(__always) static func derived(_ compute: @escaping @Sendable () -> Int) -> D { Derived { compute() } }
  @inline(__always) static func get(_ source: S) -> Int { source.value }
  @inline(__always) static func get(_ derived: D) -> Int { derived.value }
  @inline(__always) static func set(_ source: S, _ value: Int) { source.set(value) }
  @inline(__always) static func increment(_ source: S) { source.update { $0 &+= 1 } }
  @inline(__always) static func set(_ all: [S], _ value: Int) {
    transaction { for source in all { source.set(value) } }
  }
  static func observe(_ source: S, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject {
    source.observe { handler($0.new) }
  }
  static func observe(_ derived: D, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject {
    derived.observe { handler($0.new) }
  }
}

/// The engine with read marks.
enum Marks: Engine {
  typealias S = Source<Int>
  typealias D = Computed<Int>
  @inline(__always) static func source(_ value: Int) -> S { Source(value) }
  @inline(__always) static func derived(_ compute: @escaping @Sendable () -> Int) -> D { Computed { compute() } }
  @inline(__always) static func get(_ source: S) -> Int { source.value }
  @inline(__always) static func get(_ derived: D) -> Int { derived.value }
  @inline(__always) static func set(_ source: S, _ value: Int) { source.set(value) }
  @inline(__always) static func increment(_ source: S) { source.update { $0 &+= 1 } }
  @inline(__always) static func set(_ all: [S], _ value: Int) {
    commitTogether { for source in all { $0.set(source, value) } }
  }
  static func observe(_ source: S, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject {
    source.observe { _, new in handler(new) }
  }
  static func observe(_ derived: D, _ handler: @escaping @Sendable (Int) -> Void) -> AnyObject {
    derived.observe { _, new in handler(new) }
  }
}
