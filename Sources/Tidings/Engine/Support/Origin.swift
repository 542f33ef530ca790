/// What an event is called, where it was made and how deep it lets causes nest: all that a report needs to know of it.
package class Origin {
  final let label: String?
  final let file: StaticString
  final let line: UInt
  final let policy: DeliveryPolicy
  /// The causal depth beyond which a value is refused, where values queue and where they nest on the stack.
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
    queuedLimit = min(maximumDepth ?? 10_000, Frame.ofReport / 2)
    nestedLimit = maximumDepth ?? Self.stackSafeDepth
  }

  /// What it is, for one without a label.
  var noun: String { "event" }
  final var name: String { label ?? "\(noun) at \(file):\(line)" }

  /// The smallest stack in wide use has 512 KB. A level of ours takes about 1 KB in a debug build, so this leaves the
  /// handlers more than half.
  static let stackSafeDepth = 200

  /// Reports a circle of which this event is to be the next link.
  @inline(never)
  final func refuse(_ what: String = "value", depth: Int) { refuse(what, depth: depth, behind: Frame.names) }
  final func refuse(_ what: String, depth: Int, behind names: [String]) {
    let labels = Self.round(of: names, to: name)
    let chain = Self.chain(labels)
    Diagnosis.report(
      Diagnosis.Report(
        message:
          "a \(what) of '\(name)' was refused: handlers that cause each other reached depth \(Frame.steps(depth)) (\(chain))",
        labels: labels),
      about: self)
  }

  /// From where it was last: one round of the circle, not each of ten thousand.
  @inline(never)
  static func round(of names: [String], to name: String) -> [String] {
    var labels: [String] = []
    for index in (names.lastIndex(of: name) ?? 0)..<names.count { labels.append(names[index]) }
    labels.append(name)
    return labels
  }

  /// The last of the names, as a report shows them. By hand, as the round above: slices of strings are 6 KB of every client.
  @inline(never)
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
  final func reportFinishedEmit() {
    Diagnosis.report(
      Diagnosis.Report(
        message: "emitted after finish: '\(name)' is finished, so its values reach no handler", labels: [name]),
      about: self)
  }

  /// Reports that a handler of this event wants to wait until all its handlers are done, itself among them.
  @inline(never)
  final func refuseToWait() {
    Diagnosis.report(
      Diagnosis.Report(
        message: "'\(name)' was asked by its own handler to emit and wait, which is refused: use emit there",
        labels: [name]),
      about: self)
  }

  /// Reports that the closure of a derived value, or an effect, did something to this that such a closure must not.
  @inline(never)
  final func refuse(_ verb: String) {
    let labels = Frame.names + [name]
    let subject = Frame.computing?.rejectedWriter ?? "a computation"
    Diagnosis.report(
      Diagnosis.Report(message: "'\(name)' was \(verb) by \(subject) (\(Self.chain(labels)))", labels: labels),
      about: self)
  }
  /// What is said of it when it was computed and wrote.
  var rejectedWriter: String { "the closure of the \(noun) '\(name)', which is refused: it may only read" }
}
