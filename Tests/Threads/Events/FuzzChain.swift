import TidingsTesting

/// The operators between the sources of a handler and the handler.
struct FuzzChain: Sendable {
  enum Step: CaseIterable { case map, filter, scan, prefix, startWith, merge, zip, share, replay, flatMapLatest, wait }

  static let none = FuzzChain([])
  /// How many values `prefix` passes on, and how many `replay` retains.
  static let (prefixLength, replayCount) = (5, 2)
  /// Negative: they are no emissions.
  static let beginnings = [-2, -3]

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// None, one or two operators.
  static func random(_ random: inout SplitMix64) -> FuzzChain {
    let first = Step.allCases[random.number(below: Step.allCases.count)]
    switch random.number(below: 10) {
    case 0..<3: return .none
    case 3..<6: return FuzzChain([first])
    default:
      let seconds = first.successors
      return FuzzChain([first, seconds[random.number(below: seconds.count)]])
    }
  }

  /// Returns whether `filter` passes the value on.
  static func passes(_ value: Int) -> Bool { value % 4 != 3 }

  func has(_ step: Step) -> Bool { steps.contains(step) }

  /// Whether each value passes through in the call that delivers it, also when calls overlap.
  var isTransparent: Bool { steps.allSatisfy(\.isTransparent) }

  var hasSecondSource: Bool { has(.merge) || has(.zip) }

  /// Whether an upstream subscription does not follow the pauses of the handler: for this one a value counts as emitted when it comes
  /// through the shared operators.
  var isShared: Bool { has(.share) || has(.replay) }

  /// Whether nothing but transparent operators are between the source and the operator that shares.
  var sharesDirectly: Bool { steps.first { !$0.isTransparent }.map { $0 == .share || $0 == .replay } ?? false }

  /// Whether `flatMapLatest` may give up a source of which a value is on its way. Where values come to it one at a time, it has
  /// passed each on before it follows the next.
  func mayLose(from policyIsImmediate: Bool) -> Bool {
    policyIsImmediate && steps.first { !$0.isTransparent } == .flatMapLatest
  }

  /// How many values that are no emissions count for `prefix`.
  var countedBeginnings: Int { steps == [.startWith, .prefix] ? Self.beginnings.count : 0 }
}

extension FuzzChain.Step {
  var isTransparent: Bool { self == .map || self == .filter }

  /// The operators that may follow this one, of which the oracle knows what reaches the handler.
  var successors: [FuzzChain.Step] {
    switch self {
    case .map: [.filter, .scan, .prefix, .startWith, .merge, .zip, .share, .replay, .flatMapLatest, .wait]
    case .filter: [.map, .scan, .prefix, .startWith, .share, .replay, .flatMapLatest, .wait]
    case .scan: [.map, .prefix, .startWith, .share, .flatMapLatest, .wait]
    case .prefix: [.map, .scan, .startWith, .share, .wait]
    case .startWith: [.map, .filter, .scan, .prefix, .merge, .share, .flatMapLatest, .wait]
    case .merge: [.map, .filter, .scan, .prefix, .startWith, .share, .replay, .flatMapLatest, .wait]
    case .zip: [.map, .scan, .prefix, .startWith, .share, .wait]
    case .share: [.map, .filter, .scan, .prefix, .startWith, .merge, .zip, .replay, .flatMapLatest, .wait]
    case .replay: [.map, .filter, .scan, .prefix, .startWith, .merge, .share, .flatMapLatest, .wait]
    case .flatMapLatest: [.map, .filter, .scan, .prefix, .startWith, .share, .replay, .wait]
    case .wait: [.map, .filter, .scan, .prefix, .startWith, .merge, .zip, .share, .replay, .flatMapLatest]
    }
  }
}
