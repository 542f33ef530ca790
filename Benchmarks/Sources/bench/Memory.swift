import Harness

/// Heap bytes a subscription: everything that adding a handler allocates, the closure's own captures and the token
/// included, shared tables spread over all. The client's array of tokens is not counted.
enum Memory {
  /// Just short of a power of two, so that tables which double are well filled and weigh on nobody by chance.
  private static func count(quick: Bool) -> Int { quick ? 125_000 : 1_000_000 }

  static func rows(quick: Bool) -> [Row] {
    let count = count(quick: quick)
    return [
      Row(
        RowName.memory, family: "memory", size: count, unit: .bytes, floor: ClosureArray.name,
        [
          trial(ClosureArray.self, count),
          trial(Serial.self, count),
          trial(Immediate.self, count),
          trial(OnMainActor.self, count),
          trial(Local.self, count),
          trial(OpenCombinePeer.self, count),
          trial(NotificationCenterPeer.self, count),
          trial(ObservationPeer.self, count),
        ])
    ]
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
