@testable import Tidings

/// The engine's invariants that do not hold in the graphs of some values. Each graph is checked once; a release build checks
/// nothing.
struct InvariantsCheck {
  private(set) var broken: [String] = []
  #if DEBUG
  private var known: Set<NodePointer> = []

  mutating func check<Value>(_ source: Observed<Value>) { broken += source.cell.brokenInvariants(except: &known) }
  mutating func check<Value>(_ derived: Derived<Value>) { broken += derived.cell.brokenInvariants(except: &known) }
  #else
  mutating func check<Value>(_: Observed<Value>) {}
  mutating func check<Value>(_: Derived<Value>) {}
  #endif
}
