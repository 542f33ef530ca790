import Synchronization

/// A value at the snapshot: its first word, and the number of its version. The other words of a long value are in the computation's
/// `more`. A box is not released before the pin ends.
struct Known {
  let word: UInt
  /// 0: right for this pin alone. `again`: not known yet.
  let number: UInt

  @inline(__always)
  init(_ word: UInt, _ number: UInt) { (self.word, self.number) = (word, number) }
  @inline(__always)
  init(private word: UInt) { self.init(word, 0) }

  @inline(__always)
  var isPrivate: Bool { number == 0 }
  static var again: Known { @inline(__always) get { Known(0, .max) } }
  @inline(__always)
  var isAgain: Bool { number == .max }
}

extension ContextPointer {
  /// The newest version, if it is valid at the snapshot. The node has been marked.
  ///
  /// The order of the loads: the number, validity, then the value, and the number again. The number is a sequence lock: a
  /// thread that stores a value stores a new number before it.
  @inline(__always)
  func knownNow(_ node: NodePointer) -> Known? {
    let number = node.pointee.number.load(ordering: .acquiring)
    guard node.isValid, node.pointee.from.load(ordering: .relaxed) <= pointee.thread.snapshot else { return nil }
    return known(node, number)
  }
  /// The value, if its number is still this one.
  @inline(__always)
  func known(_ node: NodePointer, _ number: UInt) -> Known? {
    // Acquires what is in a box.
    let word = node.pointee.value.load(ordering: .acquiring)
    if _slowPath(node.has(Node.isLong)) { pointee.computation.more = node.loadMoreWords() }
    // The loads of the words come before the second load of the number.
    atomicMemoryFence(ordering: .acquiring)
    return _fastPath(node.pointee.number.load(ordering: .relaxed) == number) ? Known(word, number) : nil
  }

  /// The version of a source at the snapshot.
  @inline(__always)
  func source(_ node: NodePointer) -> Known {
    mark(node)
    if let known = knownNow(node) { return known }
    return sourceSlowly(node)
  }
  @inline(never)
  private func sourceSlowly(_ node: NodePointer) -> Known {
    var spins = 0
    while true {
      // Again in each turn: the mark may have been replaced.
      mark(node)
      let number = node.pointee.number.load(ordering: .acquiring)
      guard node.isValid else {
        node.awaitUnlocked(&spins)
        continue
      }
      let from = node.pointee.from.load(ordering: .relaxed)
      guard let known = known(node, number) else { continue }
      return from <= pointee.thread.snapshot ? known : retainedVersion(of: node)
    }
  }

  @inline(__always)
  func value(of node: NodePointer) -> Known { node.has(Node.isSource) ? source(node) : validate(node) }

  // MARK: Outside of computations

  /// The newest version of a source whose value is in the node. It takes no pin: nothing but the words is read.
  @inline(__always)
  func newest(_ node: NodePointer, _ into: UnsafeMutablePointer<UInt>) -> UInt {
    var spins = 0
    while true {
      if let number = node.copyIfValid(into) { return number }
      if !node.isValid { node.awaitUnlocked(&spins) }
    }
  }
  /// Calls `body` with the words of a value and their number, within a pin: so a box stays.
  @inline(__always)
  func withPinned<R>(_ node: NodePointer, _ body: (UnsafePointer<UInt>, UInt) -> R) -> R {
    pin()
    let known = value(of: node)
    var buffer = WordBuffer()
    let more = pointee.computation.more
    buffer.words = (known.word, more.0, more.1, more.2)
    let result = buffer.withWords { body($0, known.number) }
    unpin()
    finish()
    return result
  }
}

extension NodePointer {
  func loadMoreWords() -> (UInt, UInt, UInt) {
    let more = moreWords
    return (
      more.pointee.load(ordering: .relaxed), (more + 1).pointee.load(ordering: .relaxed),
      (more + 2).pointee.load(ordering: .relaxed)
    )
  }
  /// The words of a valid value that is in the node, and their number. Nil if it is not valid, or is being written.
  @inline(__always)
  func copyIfValid(_ into: UnsafeMutablePointer<UInt>) -> UInt? {
    let number = pointee.number.load(ordering: .acquiring)
    guard _fastPath(isValid) else { return nil }
    into.pointee = pointee.value.load(ordering: .relaxed)
    if _slowPath(has(Node.isLong)) { (into[1], into[2], into[3]) = loadMoreWords() }
    atomicMemoryFence(ordering: .acquiring)
    return _fastPath(pointee.number.load(ordering: .relaxed) == number) ? number : nil
  }
  /// The source is locked: spins, then parks until it is released, for a millisecond at most.
  @inline(never)
  func awaitUnlocked(_ spins: inout Int) {
    spins += 1
    if spins < 100 { return spinPause() }
    let word = pointee.staledAt.load(ordering: .relaxed)
    // The lower half of a commit's word is its count, which is not 0.
    if word != 0 { park(on: lockAddress, while: UInt32(truncatingIfNeeded: word)) }
  }
  /// The address of `staledAt`, to park on.
  var lockAddress: UnsafeRawPointer { UnsafeRawPointer(self) + 24 }
}

extension ContextPointer {
  /// The words of a node whose lock this thread holds.
  func currentWords(of node: NodePointer) -> WordBuffer {
    var buffer = WordBuffer()
    buffer.words.0 = node.pointee.value.load(ordering: .acquiring)
    if node.has(Node.isLong) {
      (buffer.words.1, buffer.words.2, buffer.words.3) = node.loadMoreWords()
    }
    return buffer
  }
}

extension NodePointer {
  /// Stores words in a node whose lock this thread holds, with their number.
  @inline(__always)
  func storeWords(_ words: UnsafePointer<UInt>, number: UInt) {
    pointee.number.store(number, ordering: .relaxed)
    // A thread that sees one of the words sees the number.
    atomicMemoryFence(ordering: .releasing)
    // Releases what is in a box.
    pointee.value.store(words.pointee, ordering: .releasing)
    if _slowPath(has(Node.isLong)) {
      // relaxed: words of a plain value; the address of a box is alone in the first.
      for index in 0..<3 { (moreWords + index).pointee.store(words[index + 1], ordering: .relaxed) }
    }
  }
}
