/// An operator with a clock as a plain program: what it delivers, and when.
struct TimeModel {
  enum Operator: CaseIterable { case debounced, throttled, throttledFirst, delayed, sampled, timeout }
  let kind: Operator
  let interval: Int
  private(set) var now = 0
  /// Each value with its time, and `|` for the end.
  private(set) var output: [String] = []
  private(set) var hasEnded = false
  /// Whether something waits for its time: a value, or the end.
  var isWaiting: Bool { kind == .timeout ? !hasEnded : !pending.isEmpty }
  private var pending: [(value: Character, due: Int)] = []
  private var next = 0
  private var isPaused = false
  private var isSourceOver = false

  init(_ kind: Operator, _ interval: Int) {
    (self.kind, self.interval) = (kind, interval)
    next = kind == .timeout ? interval : 0
  }

  mutating func perform(_ act: Character) {
    switch act {
    case "-": tick()
    case "|": finish()
    case "P": pause()
    case "R": isPaused = false
    case "X": end(noting: false)
    default: emit(act)
    }
  }
  private mutating func emit(_ value: Character) {
    if hasEnded || isPaused || isSourceOver { return }
    switch kind {
    case .debounced: pending = [(value, now + interval)]
    case .throttled: pending = [(value, next)]
    case .throttledFirst: if now >= next { pending = [(value, now)] }
    case .delayed: pending.append((value, now + interval))
    case .sampled: pending = [(value, (now / interval + 1) * interval)]
    case .timeout: pending = [(value, now)]
    }
    deliver()
  }
  private mutating func pause() {
    (pending, isPaused) = ([], true)
    // After the end of the source, only a value that waited has kept the subscription.
    deliver()
  }
  private mutating func tick() {
    now += 1
    deliver()
    if kind == .timeout, now >= next, !hasEnded { end(noting: true) }
  }
  private mutating func finish() {
    if hasEnded || isSourceOver { return }
    isSourceOver = true
    if kind != .delayed { pending = pending.map { ($0.value, now) } }
    deliver()
  }
  private mutating func deliver() {
    while let first = pending.first, first.due <= now {
      pending.removeFirst()
      output.append("\(first.value)@\(now)")
      next = now + interval
    }
    if isSourceOver, pending.isEmpty, !hasEnded { end(noting: true) }
  }
  private mutating func end(noting: Bool) {
    if noting, !hasEnded { output.append("|@\(now)") }
    (hasEnded, pending) = (true, [])
  }
}
