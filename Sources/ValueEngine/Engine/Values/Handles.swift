import Synchronization

/// A value that can be set.
public final class Source<Value>: @unchecked Sendable {  // every access to the node is ordered by the engine's protocol
  public let handle: NodeHandle

  @inlinable
  public init(_ value: Value) {
    handle = NodeHandle(
      Body(
        isSource: true, isBoxed: Words<Value>.isBoxed, words: Words<Value>.count, isComparedByBits: true,
        areEqual: { _, _ in false }, compute: { _ in })
    ) { Words<Value>.store(value, $0) }
  }
  @inlinable
  public var value: Value { handle.read(Value.self) }
  @inlinable
  public func set(_ value: Value) {
    var buffer = WordBuffer()
    buffer.withWords {
      Words<Value>.store(value, $0)
      handle.set($0)
    }
  }
  /// Changes the value. The closure runs again if another thread has written the source meanwhile.
  @inlinable
  public func update(_ change: (inout Value) -> Void) {
    while true {
      var (value, number) = handle.readNewest(Value.self)
      change(&value)
      var buffer = WordBuffer()
      let isDone = buffer.withWords {
        Words<Value>.store(value, $0)
        return handle.set($0, expected: number)
      }
      if isDone { return }
    }
  }
}

/// A value that is computed from others.
public final class Computed<Value>: @unchecked Sendable {  // as above; the closure is `@Sendable`
  public let handle: NodeHandle

  @inlinable
  public init(_ compute: @escaping @Sendable () -> Value) where Value: Equatable {
    handle = NodeHandle(
      Body(
        isSource: false, isBoxed: Words<Value>.isBoxed, words: Words<Value>.count,
        isComparedByBits: Words<Value>.areComparedByBits,
        areEqual: { Words<Value>.load($0) == Words<Value>.load($1) }, compute: { Words<Value>.store(compute(), $0) }))
  }
  @inlinable
  public var value: Value { handle.read(Value.self) }
}

/// Commits several sources together: no computation sees some of the new values without the others.
public struct WriteSet: ~Copyable {
  var writes: [Commit.Write] = []

  public mutating func set<Value>(_ source: Source<Value>, _ value: Value) {
    var buffer = WordBuffer()
    buffer.withWords { Words<Value>.store(value, $0) }
    add(source.handle.node, buffer, expected: 0)
  }
  /// The commit fails if another thread writes the source before it.
  public mutating func update<Value>(_ source: Source<Value>, _ change: (inout Value) -> Void) {
    var (value, number) = source.handle.readNewest(Value.self)
    change(&value)
    var buffer = WordBuffer()
    buffer.withWords { Words<Value>.store(value, $0) }
    add(source.handle.node, buffer, expected: number)
  }
  private mutating func add(_ node: NodePointer, _ words: WordBuffer, expected: UInt) {
    precondition(!writes.contains { $0.node == node }, "a source is written once")
    writes.append(Commit.Write(node: node, words: words, expected: expected, place: writes.count))
  }
}
/// Runs `body` and commits what it has written; runs it again if that has failed.
public func commitTogether(_ body: (inout WriteSet) -> Void) {
  let context = Context.current
  precondition(context.pointee.thread.snapshot == 0, "a computation sets no value")
  while true {
    var set = WriteSet()
    body(&set)
    let deliveries = set.writes.withUnsafeMutableBufferPointer { context.commit($0) }
    if let deliveries {
      for delivery in deliveries { context.deliver(delivery) }
      context.notify()
    } else {
      for write in set.writes where write.node.has(Node.isBoxed) { context.destroyLater(box: write.words.words.0) }
    }
    context.finish()
    if deliveries != nil { return }
  }
}

/// A reference to a node, and what a value of any type needs of it.
public struct NodeHandle: ~Copyable {
  let node: NodePointer

  public init(_ body: Body) { node = Context.current.pointee.memory.makeNode(body) }
  /// A source with the words that `store` puts down.
  public init(_ body: Body, _ store: (UnsafeMutablePointer<UInt>) -> Void) {
    self.init(body)
    var buffer = WordBuffer()
    buffer.withWords {
      store($0)
      node.storeWords($0, number: 1)
    }
  }
  deinit {
    let context = Context.current
    context.releaseLater(node)
    context.finish()
  }

  @inlinable @inline(__always)
  public func read<Value>(_: Value.Type) -> Value {
    if Words<Value>.isBoxed {
      var result: Value?
      withWords { words, _ in result = Words<Value>.load(words) }
      return result.unsafelyUnwrapped
    }
    if Words<Value>.count == 1 {
      var word = word()
      return withUnsafePointer(to: &word) { Words<Value>.load($0) }
    }
    var buffer = WordBuffer()
    return buffer.withWords {
      copyWords($0)
      return Words<Value>.load($0)
    }
  }
  /// The newest version of a source, and its number.
  @inlinable @inline(__always)
  public func readNewest<Value>(_: Value.Type) -> (value: Value, number: UInt) {
    var buffer = WordBuffer()
    let number = buffer.withWords { Words<Value>.isBoxed ? 0 : copyNewest($0) }
    if number != 0 { return (buffer.withWords { Words<Value>.load($0) }, number) }
    var result: (value: Value, number: UInt)?
    while true {
      withWords { result = (Words<Value>.load($0), $1) }
      // 0: replaced since the pin began. The next pin begins later.
      if let result, result.number != 0 { return result }
    }
  }
  public func copyNewest(_ into: UnsafeMutablePointer<UInt>) -> UInt { Context.current.newest(node, into) }

  /// The value of one word, as a computation or any other code reads it. A value in a register costs a third less than one in memory.
  public func word() -> UInt {
    let kept = keptThread()
    if let context = kept?.assumingMemoryBound(to: Context.self), context.pointee.computation.frame != nil {
      return context.tracked(node).word
    }
    var word: UInt = 0
    if _fastPath(node.copyIfValid(&word) != nil) { return word }
    return wordSlowly()
  }
  @inline(never)
  private func wordSlowly() -> UInt {
    var word: UInt = 0
    withWords { words, _ in word = words.pointee }
    return word
  }
  /// The value of several words.
  public func copyWords(_ into: UnsafeMutablePointer<UInt>) {
    let kept = keptThread()
    let isComputing = kept?.assumingMemoryBound(to: Context.self).pointee.computation.frame != nil
    if !isComputing, node.copyIfValid(into) != nil { return }
    withWords { words, _ in into.update(from: words, count: 4) }
  }
  /// Calls `body` with the words of any value, and their number. A box is not released meanwhile.
  public func withWords(_ body: (UnsafePointer<UInt>, UInt) -> Void) {
    let context = Context.current
    if context.pointee.thread.snapshot == 0 { return context.withPinned(node, body) }
    // Without a frame, `==` is comparing two results: what it reads is no dependency.
    let known = context.pointee.computation.frame != nil ? context.tracked(node) : context.value(of: node)
    var buffer = WordBuffer()
    let more = context.pointee.computation.more
    buffer.words = (known.word, more.0, more.1, more.2)
    buffer.withWords { body($0, known.number) }
  }
  @discardableResult
  public func set(_ words: UnsafeMutablePointer<UInt>, expected: UInt = 0) -> Bool {
    let context = Context.current
    precondition(context.pointee.thread.snapshot == 0, "a computation sets no value")
    switch context.commit(node, words, expected: expected) {
    case .overtaken:
      if node.has(Node.isBoxed) { context.destroyLater(box: words.pointee) }
      context.finish()
      return false
    case .done: break
    case .deliver(let delivery): context.deliver(delivery)
    }
    context.notify()
    context.finish()
    return true
  }
}
