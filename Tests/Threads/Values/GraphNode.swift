@testable import Tidings

/// A value of the library's, source or derived.
enum GraphNode: Sendable {
  case source(Observed<Int>)
  case derived(Derived<Int>)

  var value: Int {
    switch self {
    case .source(let source): source.value
    case .derived(let derived): derived.value
    }
  }

  func check(_ invariants: inout InvariantsCheck) {
    switch self {
    case .source(let source): invariants.check(source)
    case .derived(let derived): invariants.check(derived)
    }
  }

  var asSource: Observed<Int>? { if case .source(let source) = self { source } else { nil } }

  func observe(initial: Bool, _ handler: @escaping @Sendable (Change<Int>) -> Void) -> Subscription {
    switch self {
    case .source(let source): initial ? source.observe(.initial, handler) : source.observe(handler)
    case .derived(let derived): initial ? derived.observe(.initial, handler) : derived.observe(handler)
    }
  }
}

extension GraphModel.Policy {
  var ofLibrary: ChangePolicy<Int> {
    switch self {
    case .every: .every
    case .distinct: .distinct
    case .halves: .by { $0 / 2 == $1 / 2 }
    }
  }
}
