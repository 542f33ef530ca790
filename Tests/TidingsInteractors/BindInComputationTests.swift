import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@Suite("A bond that is made in a computation", .serialized)
struct BindInComputationTests {
  enum Place: String, CaseIterable { case read, effect, transaction, handler }

  private func visit(_ place: Place, _ make: @escaping @Sendable () -> Void) -> Any {
    let other = Observed(0)
    let maker = Derived { () -> Int in
      make()
      return other.value
    }
    switch place {
    case .read: return maker.value
    case .effect: return effect { make() }
    case .transaction: return transaction { maker.value }
    case .handler:
      let token = other.observe { _ in _ = maker.value }
      other.set(1)
      return token
    }
  }

  @Test("The two values agree when the computation is over, and from then on", arguments: Place.allCases)
  func agrees(_ place: Place) async {
    let reports = Recorder<String>()
    let token = Diagnostics.reports.observe { reports($0.message) }
    let (first, second, bond) = (
      Observed(1, label: "bound.first"), Observed(2, label: "bound.second"), Locked<Bond?>(nil)
    )
    let kept = visit(place) { if bond.current == nil { bond.current = bind(first, second) } }
    #expect(first.value == 1 && second.value == 1)
    second.set(3)
    #expect(first.value == 3)
    first.set(4)
    #expect(second.value == 4)
    await Diagnostics.reports.drained()
    #expect(reports.values.filter { $0.contains("bound.") || $0.contains("bind") } == [])
    token.cancel()
    withExtendedLifetime(kept) {}
  }

  @Test("Values with parts that are NaN agree on the other parts")
  func parts() {
    struct Point: Equatable, Sendable {
      var x = Double.nan
      var y = 0.0
    }
    let (first, second) = (Observed(Point()), Observed(Point()))
    let bond = bind(first, second)
    first.set(Point(y: 1))
    #expect(second.value.y == 1)
    withExtendedLifetime(bond) {}
  }
}
