import Tidings
import TidingsRemote
import TidingsTesting

extension TransportCheck {
  /// Requirements that two relays show together.
  static let relaying = [
    TransportCheck("A question is answered by another process") { kit in
      let (first, second) = try await kit.relays()
      let asking = first.hook("double", asking: Int.self, answering: Int.self)
      let answering = second.hook("double", asking: Int.self, answering: Int.self)
      let token = answering.handle { $0 * 2 }
      // A question that comes before the handler is lost.
      let isAnswered = await eventually { (try? await asking.first(21, within: .milliseconds(500))) == 42 }
      try require(isAnswered, "no answer came")
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...100 { group.addTask { try await asking.first(number, within: .seconds(60)) } }
        return try await group.reduce(0, +)
      }
      try require(sum == 10_100, "the answers are others: their sum is \(sum)")
      withExtendedLifetime(token) {}
      await first.close()
      await second.close()
    },

    TransportCheck("A handler that does not return keeps no message from another process") { kit in
      let (first, second) = try await kit.relays()
      let (began, proceed, handled) = (Latch(), Latch(), Recorder<Int>())
      let placed = first.event(
        "orders.placed", of: Int.self, delivery: .kept(retryDelay: .zero, timeout: .milliseconds(1)))
      try await placed.send(contentsOf: (1...20).map { ($0, id: "\($0)") })
      placed.handle(as: "billing") { _ in
        began.open()
        // Cancelled or not.
        await Task { await proceed.wait() }.value
      }
      await began.wait()
      let other = second.event("orders.placed", of: Int.self, delivery: .kept)
      other.handle(as: "billing") { handled($0) }
      let numbers = await handled.values(atLeast: 20).sorted()
      try require(numbers == Array(1...20), "handled elsewhere: \(numbers)")
      proceed.open()
      await first.close()
      await second.close()
      try require(handled.values.count == 20, "handled again: \(handled.values.count)")
    },
  ]
}
