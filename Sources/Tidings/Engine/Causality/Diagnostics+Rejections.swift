// The reports of what the library rejects. Each message begins with the words that its reader searches for.
extension Diagnostics {
  /// A cycle in which `source` would be the next link.
  @inline(never)
  @_optimize(size)
  static func reportCycle(
    through source: CausalSource, of what: String = "value", depth: Int, causes: [String]? = nil
  ) {
    let name = source.name
    let labels = CausalFrame.round(of: causes ?? CausalFrame.names, to: name)
    report(
      Report(
        message:
          "cycle: a " + what + " of '" + name + "' was rejected: handlers that cause each other reached depth "
          + CausalFrame.steps(depth).description + " (" + CausalFrame.chain(labels) + ")",
        labels: labels),
      about: source)
  }

  /// Whether one more delivery on this thread's stack would exceed the limit for those that nest, or belongs to a cycle through what
  /// is destroyed between deliveries. Reported if so.
  @inline(never)
  @_optimize(size)
  static func rejectsNesting(of source: CausalSource, _ what: String = "value") -> Bool {
    let (nested, depth) = (CausalFrame.count, CausalFrame.currentDepth)
    let limit = max(source.identity.nestedLimit, source.identity.queuedLimit)
    let isRejected = source.identity.isTooDeep(nested) || CausalFrame.steps(depth) >= limit
    if isRejected { reportCycle(through: source, of: what, depth: max(nested, depth) + 1) }
    return isRejected
  }

  /// Something was emitted after the end.
  @inline(never)
  @_optimize(size)
  static func reportFinishedEmit(of source: CausalSource) {
    let name = source.name
    report(
      Report(
        message: "emitted after finish: '" + name + "' is finished, so its values reach no handler", labels: [name]),
      about: source)
  }

  /// A handler waits until all handlers of its own event are done, itself among them; or another does, for which it waits.
  @inline(never)
  @_optimize(size)
  static func reportWait(for source: CausalSource, throughAnother: Bool = false) {
    let name = source.name
    report(
      Report(
        message: "wait rejected: a handler of '" + name
          + (throughAnother
            ? "' waits for a handler that waits for '" + name + "' in turn, and so for itself: use emit in one of them"
            : "' waits for its own event, and so for itself: use emit there"),
        labels: [name]),
      about: source)
  }

  /// The closure of a derived value, or an effect, set this value or emitted this event.
  @inline(never)
  @_optimize(size)
  static func reportWrite(to source: CausalSource, _ verb: String) {
    var labels = CausalFrame.names
    let name = source.name
    labels.appendUnspecialized(name)
    report(
      Report(
        message: "write rejected: '" + name + "' was " + verb + " by " + writer + " (" + CausalFrame.chain(labels)
          + ")",
        labels: labels),
      about: source)
  }
  private static var writer: String {
    guard let computing = CausalFrame.computing else { return "a computation" }
    let (kind, name) = (computing.kind.description, computing.name)
    return kind == "effect"
      ? "the effect '" + name + "': an effect may only read. To set or emit when values change, observe them: "
        + "Derived { … }.observe(.initial) { … }"
      : "the closure of the " + kind + " '" + name + "', which may only read"
  }

  #if DEBUG
  /// The code that runs on this thread adds one more handler each time it runs.
  static func reportGrowth(of source: CausalSource, at place: String) {
    let (name, causes) = (source.name, CausalFrame.names)
    var labels = causes
    labels.appendUnspecialized(name)
    let adder = causes.last.map { " '" + $0 + "'" } ?? ""
    report(
      Report(
        message: "growing: '" + name + "' gets another handler from " + place + " each time the "
          + (CausalFrame.isComputing ? "closure of" : "handler of") + adder
          + " runs, and those of earlier runs are kept: observe it once, or with the object to which each handler belongs: "
          + "observe(with:) (" + CausalFrame.chain(labels) + ")",
        labels: labels),
      about: source)
  }
  #endif

  /// A cleanup outside the run of an effect.
  @inline(never)
  @_optimize(size)
  static func reportCleanup(_ file: StaticString, _ line: UInt) {
    let source = CausalSource(EventIdentity("onCleanup", nil, file, line))
    let place = file.description + ":" + line.description
    report(
      Report(
        message: "cleanup rejected: onCleanup at " + place
          + " is not in the run of an effect, so its closure is never called",
        labels: [place]),
      about: source)
  }

  /// An update that was given up.
  @inline(never)
  @_optimize(size)
  static func reportUpdate(of source: CausalSource) {
    let name = source.name
    var labels = CausalFrame.names
    labels.appendUnspecialized(name)
    report(
      Report(
        message: "cycle: an update of '" + name
          + "' was rejected: its closure causes the value to be written, each time it runs ("
          + CausalFrame.chain(labels) + ")",
        labels: labels), about: source)
  }
}
