/// The identity of an event, a value or a hook: its label, where it was made and how deep causes may nest in it.
struct EventIdentity: ~Copyable {
  let label: String?
  let line: UInt
  /// The causal depth beyond which a value is rejected, where values queue and where they nest on the stack.
  let queuedLimit: Int
  let nestedLimit: Int
  let file: StaticString

  @inline(never)  // one more time in each initializer it is 1 KB of every client
  init(_ label: String?, _ maximumDepth: Int?, _ file: StaticString, _ line: UInt) {
    // Not `precondition`, which says nothing in a release build.
    if let maximumDepth, maximumDepth < 1 {
      fatalError("maximumDepth must be at least 1: the depth of what no handler causes")
    }
    self.label = label
    self.file = file
    self.line = line
    queuedLimit = min(maximumDepth ?? CausalLimits.queued, CausalFrame.ofReport / 2)
    nestedLimit = maximumDepth ?? CausalLimits.nested
  }

  /// Makes the identity of an object that belongs to another one: its own label, and the place and the limits of `other`.
  init(of other: borrowing EventIdentity, label: String?) {
    self.label = label
    (line, file) = (other.line, other.file)
    (queuedLimit, nestedLimit) = (other.queuedLimit, other.nestedLimit)
  }

  /// Whether one more delivery would be too deep where `nested` are on this thread's stack. The first few cannot be.
  @inline(__always)
  func isTooDeep(_ nested: Int) -> Bool { nested >= nestedLimit || nested > 8 && isStackUsed }
}
