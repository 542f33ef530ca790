import Harness
import OpenCombine
import Tidings

/// Heap bytes a subscription: everything that adding a handler allocates, the closure's own captures and the token
/// included, shared tables spread over all. The client's array of tokens is not counted. And those of a value.
enum Memory {
  /// Just short of a power of two, so that tables which double are well filled and favor no contender by chance.
  private static func count(quick: Bool) -> Int { quick ? 125_000 : 1_000_000 }

  static func rows(quick: Bool) -> [Row] {
    let count = count(quick: quick)
    return [
      Row(
        RowName.memory, family: "memory", size: count, unit: .bytes, floor: ClosureArray.name,
        [
          trial(ClosureArray.self, count),
          trial(BareObjects.self, count),
          trial(Serial.self, count),
          trial(Immediate.self, count),
          trial(OnMainActor.self, count),
          trial(Local.self, count),
          trial(OpenCombinePeer.self, count),
          trial(NotificationCenterPeer.self, count),
          trial(ObservationPeer.self, count),
        ]),
      observed(count),
      derived(count),
    ]
  }

  private static func observed(_ count: Int) -> Row {
    Row(
      RowName.memoryObserved, family: "memory observed", size: count, unit: .bytes, floor: HandNode.name,
      [
        trial(HandNode.name, count) { HandNode($0) },
        trial(ObservedValue.name, count) { Observed($0) },
        trial("OpenCombine CurrentValueSubject", count) { CurrentValueSubject<Int, Never>($0) },
      ])
  }

  /// All of one source, computed once.
  private static func derived(_ count: Int) -> Row {
    let hand = HandNode()
    let source = Observed(0)
    let tally = Tally()
    func computed(_ place: Int) -> Derived<Int> {
      let derived = Derived { source.value &+ place }
      _ = derived.value
      return derived
    }
    return Row(
      RowName.memoryDerived, family: "memory derived", size: count, unit: .bytes, floor: ByHand.name,
      [
        trial(ByHand.name, count) { place in HandFormula { hand.value &+ place } },
        trial(DerivedValue.name, count) { computed($0) },
        trial("Derived, a handler and its token", count) { place in
          let derived = computed(place)
          return (derived, derived.observe { tally.add($0.new) })
        },
      ])
  }

  private static func trial<Made>(_ name: String, _ count: Int, _ make: @escaping (Int) -> Made) -> Trial {
    .counted(name) {
      var made: [Made] = []
      made.reserveCapacity(count)
      guard let before = System.heapBytes else { return nil }
      for place in 0..<count { made.append(make(place)) }
      guard let after = System.heapBytes else { return nil }
      withExtendedLifetime(made) {}
      return Double(after - before) / Double(count)
    }
  }

  private static func trial<C: Contender>(_: C.Type, _ count: Int) -> Trial {
    .counted(C.name) {
      let contender = C()
      let tally = Tally()
      var tokens: [C.Token] = []
      tokens.reserveCapacity(count)
      guard let before = System.heapBytes else { return nil }
      for _ in 0..<count { tokens.append(contender.subscribe(tally)) }
      guard let after = System.heapBytes else { return nil }
      withExtendedLifetime((contender, tokens)) {}
      return Double(after - before) / Double(count)
    }
  }
}
