import Synchronization

// The version of a computed value that its handlers were notified of. It follows the published versions, in the order of their
// numbers, whichever threads publish and notify: each step is taken under the publication lock, and leads to the newest version.
extension Watch {
  /// The next step of a thread that notifies, once the publication lock is released.
  enum Step {
    /// The handlers know the newest version, or another call delivers it.
    case done
    case deliver(Delivery)
    /// `==` is user code, and runs outside of the lock. Then the thread takes the lock again.
    case compare(Comparison)
  }
  /// Two versions that are to be compared. Their boxes have references.
  struct Comparison {
    fileprivate let notified: WordBuffer
    fileprivate let newest: WordBuffer
    private let count: UInt
    private let number: UInt
    fileprivate var areEqual = false

    fileprivate init(_ notified: Notified, _ newest: WordBuffer, _ number: UInt) {
      (self.notified, self.newest, self.number) = (notified.words, newest, number)
      count = notified.count
    }
    /// Whether it is the answer for these versions.
    fileprivate func isOf(_ notified: Notified, _ number: UInt) -> Bool {
      count == notified.count && self.number == number
    }
  }
  /// The state of a node before a pin.
  struct State: BitwiseCopyable {
    /// How many changes the handlers were notified of.
    var count: UInt = 0
    var publications: UInt = 0
  }
  /// The result of a validation in a pin.
  struct Finding {
    /// The version that was valid; 0 if the result is right for this pin alone.
    let number: UInt
    /// The private result.
    var words = WordBuffer()
    let before: State
    var isPrivate: Bool { number == 0 }

    /// Whether no change was accepted and nothing was published since before the pin: anything else could be newer than a private
    /// result. Under the publication lock.
    func isNewest(of node: NodePointer, _ watch: Watch) -> Bool {
      before.count == watch.notified.count
        && before.publications == node.pointee.publications.load(ordering: .relaxed)
    }
  }
}

extension ContextPointer {
  /// Notifies the handlers of a computed node of its newest version, or of a private result, in the pin that has found it. Without a
  /// finding, of what other threads have published. Returns the claim if the caller is to deliver.
  func follow(_ node: NodePointer, _ finding: Watch.Finding? = nil) -> Watch.Delivery? {
    var compared: Watch.Comparison?
    while true {
      let held = HeldLock(node.publicationLock)
      let step = node.has(Node.isWatched) ? advance(node, finding, compared) : .done
      held.release()
      switch step {
      case .done: return nil
      case .deliver(let delivery): return delivery
      case .compare(var comparison):
        compare(&comparison, of: node)
        compared = comparison
      }
    }
  }

  /// One step, under the publication lock. `compared` is the answer to the comparison that was asked for before.
  func advance(
    _ node: NodePointer, _ finding: Watch.Finding?, _ compared: Watch.Comparison?
  ) -> Watch.Step {
    node.watch.unsafelyUnwrapped._withUnsafeGuaranteedRef { watch in
      let last = watch.notified
      let number = node.pointee.number.load(ordering: .relaxed)
      let isPrivate = finding?.isPrivate ?? false
      if isPrivate {
        if !finding.unsafelyUnwrapped.isNewest(of: node, watch) { return .done }
      } else if number == last.number {
        // After a private result, the version of before may have become valid again.
        guard last.isPrivate, let finding, finding.number == number, finding.before.count == last.count else {
          return .done
        }
      }
      let words = isPrivate ? finding.unsafelyUnwrapped.words : currentWords(of: node)
      let areEqual: Bool
      if node.pointee.body._withUnsafeGuaranteedRef({ $0.isComparedByBits }) {
        areEqual = words.words == last.words.words
      } else if number == last.number &+ 1, !last.isPrivate, !isPrivate {
        // The publication has compared the two.
        areEqual = false
      } else if let compared, compared.isOf(last, number) {
        areEqual = compared.areEqual
      } else {
        if node.has(Node.isBoxed) {
          retainBox(last.words.words.0)
          retainBox(words.words.0)
        }
        return .compare(Watch.Comparison(last, words, number))
      }
      if areEqual {
        // The handlers keep the value that they have seen.
        if !isPrivate { (watch.notified.number, watch.notified.isPrivate) = (number, false) }
        return .done
      }
      let count = last.count &+ 1
      return accept(Watch.Notified(words: words, number: number, isPrivate: isPrivate, count: count), node, watch)
    }
  }
  private func accept(_ next: Watch.Notified, _ node: NodePointer, _ watch: Watch) -> Watch.Step {
    var (old, new) = (watch.notified.words, next.words)
    let acceptance = old.withWords { old in new.withWords { watch.delivery.accept(old, $0) } }
    if node.has(Node.isBoxed) {
      retainBox(new.words.0)
      destroyLater(box: old.words.0)
    }
    watch.notified = next
    guard case .claimed = acceptance else { return .done }
    return .deliver(Unmanaged.passRetained(watch))
  }

  /// Outside of locks. A value that `==` reads is no dependency: no computation is under way on this thread.
  func compare(_ comparison: inout Watch.Comparison, of node: NodePointer) {
    assert(pointee.computation.frame == nil)
    var (notified, newest) = (comparison.notified, comparison.newest)
    comparison.areEqual = node.pointee.body._withUnsafeGuaranteedRef { body in
      notified.withWords { notified in newest.withWords { body.areEqual(notified, $0) } }
    }
    if node.has(Node.isBoxed) {
      destroyLater(box: notified.words.0)
      destroyLater(box: newest.words.0)
    }
  }
}
