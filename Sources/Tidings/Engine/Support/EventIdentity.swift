/// The identity of an event: its name, where it was made and how deep causes may nest in it. All that a report says of it.
package class EventIdentity {
  final let label: String?
  final let file: StaticString
  final let line: UInt
  final let policy: DeliveryPolicy
  /// The causal depth beyond which a value is rejected, where values queue and where they nest on the stack.
  final let queuedLimit: Int
  final let nestedLimit: Int

  init(_ label: String?, _ policy: DeliveryPolicy, _ maximumDepth: Int?, _ file: StaticString, _ line: UInt) {
    // Not `precondition`, which says nothing in a release build.
    if let maximumDepth, maximumDepth < 1 {
      fatalError("maximumDepth must be at least 1: the depth of what no handler causes")
    }
    self.label = label
    self.policy = policy
    self.file = file
    self.line = line
    queuedLimit = min(maximumDepth ?? 10_000, CausalFrame.ofReport / 2)
    nestedLimit = maximumDepth ?? Self.stackSafeDepth
  }

  /// The kind of source, for the name of one without a label.
  var kind: String { "event" }
  final var name: String { label ?? kind + " at " + file.description + ":" + line.description }

  /// The smallest stack in wide use has 512 KB. A level takes about 0.5 KB; in a debug build up to 2.5 KB, for which it is too
  /// much, as it is for smaller stacks. So what is left of the stack is asked as well.
  static let stackSafeDepth = 200

  /// Whether one more delivery would be too deep where `nested` are on this thread's stack. The first few cannot be.
  @inline(__always)
  final func isTooDeep(_ nested: Int) -> Bool { nested >= nestedLimit || nested > 8 && isStackUsed }

  /// Reports a cycle in which this event would be the next link.
  @inline(never)
  @_optimize(size)
  final func reject(_ what: String = "value", depth: Int) { reject(what, depth: depth, causes: CausalFrame.names) }
  @_optimize(size)
  final func reject(_ what: String, depth: Int, causes names: [String]) {
    let labels = Self.round(of: names, to: name)
    let chain = Self.chain(labels)
    Diagnostics.report(
      Diagnostics.Report(
        message:
          "cycle: a " + what + " of '" + name + "' was rejected: handlers that cause each other reached depth "
          + CausalFrame.steps(depth).description + " (" + chain + ")",
        labels: labels),
      about: self)
  }

  /// Whether one more delivery on this thread's stack would exceed the limit for those that nest. Reported if so.
  @_optimize(size)
  final func rejectsNesting(_ what: String = "value") -> Bool {
    let depth = CausalFrame.count
    let isRejected = isTooDeep(depth)
    if isRejected { reject(what, depth: depth + 1) }
    return isRejected
  }

  /// The names from the last occurrence of `name` on: one round of the cycle, not each of ten thousand.
  @inline(never)
  @_optimize(size)
  static func round(of names: [String], to name: String) -> [String] {
    var labels: [String] = []
    for index in (names.lastIndex(of: name) ?? 0)..<names.count { labels.appendUnspecialized(names[index]) }
    labels.appendUnspecialized(name)
    return labels
  }

  /// The last of the names, joined by arrows, as a report shows them. A loop, as in `round`: slices of strings add 6 KB to every
  /// client.
  @inline(never)
  @_optimize(size)
  static func chain(_ names: [String]) -> String {
    var text = ""
    for index in max(0, names.count - 16)..<names.count {
      if !text.isEmpty { text += " → " }
      text += names[index]
    }
    return text
  }

  /// Reports that something was emitted after the end.
  @inline(never)
  @_optimize(size)
  final func reportFinishedEmit() {
    Diagnostics.report(
      Diagnostics.Report(
        message: "emitted after finish: '" + name + "' is finished, so its values reach no handler", labels: [name]),
      about: self)
  }

  /// Reports that a handler of this event waits until all handlers of the event are done, itself among them.
  @inline(never)
  @_optimize(size)
  final func rejectWaiting() {
    Diagnostics.report(
      Diagnostics.Report(
        message: "wait rejected: a handler of '" + name
          + "' waits for its own event, and so for itself: use emit there",
        labels: [name]),
      about: self)
  }

  /// Reports that the closure of a derived value, or an effect, set this value or emitted this event.
  @inline(never)
  @_optimize(size)
  final func reject(_ verb: String) {
    var labels = CausalFrame.names
    labels.appendUnspecialized(name)
    let subject = CausalFrame.computing?.rejectedWriter ?? "a computation"
    Diagnostics.report(
      Diagnostics.Report(
        message: "write rejected: '" + name + "' was " + verb + " by " + subject + " (" + Self.chain(labels) + ")",
        labels: labels),
      about: self)
  }
  /// How a report calls this when its computation wrote.
  var rejectedWriter: String { "the closure of the " + kind + " '" + name + "', which may only read" }
}
