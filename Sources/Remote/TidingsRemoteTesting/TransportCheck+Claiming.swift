import Foundation
import TidingsRemote

extension TransportCheck {
  static let claiming = [
    TransportCheck("Each consumer is given all messages, those from before included, in order") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("consumers")
      try await transport.store((1...5).map { TransportUnderTest.message(subject, $0) })
      for consumer in ["billing", "shipping"] {
        let claimed = try await claim(5, transport, subject, consumer)
        let bodies = claimed.map { String(decoding: $0.message.body, as: UTF8.self) }
        try require(bodies == ["1", "2", "3", "4", "5"], "\(consumer) was given \(bodies)")
        try require(claimed.allSatisfy { $0.attempt == 1 }, "a first attempt has the number 1")
        try require(claimed.map(\.message.id) == (1...5).map { "id-\($0)" }, "the ids are others")
      }
      await transport.close()
    },

    TransportCheck("A message that one process has claimed is given to no other, nor again once it is acknowledged") {
      kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("shared")
      try await first.store((1...4).map { TransportUnderTest.message(subject, $0) })
      let own = try await claim(2, first, subject, "billing")
      let others = try await claim(2, second, subject, "billing")
      let bodies = (own + others).map { String(decoding: $0.message.body, as: UTF8.self) }
      try require(bodies.sorted() == ["1", "2", "3", "4"], "given out: \(bodies)")
      try await first.settle(own.map { ($0, .acknowledged) }, of: subject, as: "billing")
      try await second.settle(others.map { ($0, .acknowledged) }, of: subject, as: "billing")
      try await first.store([TransportUnderTest.message(subject, 5)])
      let next = try await claim(1, second, subject, "billing")
      try require(next.map(\.message.id) == ["id-5"], "given out again: \(next.map(\.message.id))")
      await first.close()
      await second.close()
    },

    TransportCheck("A failed message is given out again with the next attempt's number, a returned one with the same") {
      kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("again")
      try await transport.store([TransportUnderTest.message(subject, 1)])
      for (outcome, attempt) in [
        (ClaimOutcome.retry(after: .zero), 1), (.retry(after: .milliseconds(30)), 2),
        (.returned(after: .zero), 3), (.acknowledged, 3),
      ] {
        let claimed = try await claim(1, transport, subject, "billing")
        try require(claimed[0].attempt == attempt, "attempt \(claimed[0].attempt), expected \(attempt)")
        try await transport.settle([(claimed[0], outcome)], of: subject, as: "billing")
      }
      await transport.close()
    },

    TransportCheck("A dead message is not given out again") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("dead")
      try await transport.store((1...2).map { TransportUnderTest.message(subject, $0) })
      let claimed = try await claim(1, transport, subject, "billing")
      try await transport.settle([(claimed[0], .dead(reason: "test"))], of: subject, as: "billing")
      let next = try await claim(1, transport, subject, "billing")
      try require(next[0].message.id == "id-2", "given out again: \(next[0].message.id)")
      await transport.close()
    },

    TransportCheck(
      "A dead message is listed with its reason for its consumer, and given out as new when it is put back"
    ) {
      kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("back")
      try await first.store((1...3).map { TransportUnderTest.message(subject, $0) })
      for attempt in 1...2 {
        let claimed = try await claim(1, first, subject, "billing")
        let outcome: ClaimOutcome = attempt == 1 ? .retry(after: .zero) : .dead(reason: "no “paper”")
        try await first.settle([(claimed[0], outcome)], of: subject, as: "billing")
      }
      let rest = try await claim(2, first, subject, "billing")
      try require(rest.map(\.message.id).sorted() == ["id-2", "id-3"], "given out: \(rest.map(\.message.id))")
      try await first.settle(rest.map { ($0, .acknowledged) }, of: subject, as: "billing")
      let dead = try await second.deadMessages(of: subject, as: "billing")
      try require(dead.map(\.message.id) == ["id-1"], "dead: \(dead.map(\.message.id))")
      try require(dead.map(\.reason) == ["no “paper”"], "reasons: \(dead.map(\.reason))")
      try require(dead[0].message.body == Data("1".utf8), "another body")
      let others = try await second.deadMessages(of: subject, as: "shipping")
      try require(others.isEmpty, "dead for another consumer: \(others.map(\.message.id))")
      let sequence = dead[0].message.sequence
      try await second.putBack([sequence, sequence + 1_000], of: subject, as: "billing")
      let again = try await claim(1, first, subject, "billing")
      try require(again.map(\.message.id) == ["id-1"], "given out: \(again.map(\.message.id))")
      try require(again[0].attempt == 1, "attempt \(again[0].attempt), expected 1")
      let left = try await second.deadMessages(of: subject, as: "billing")
      try require(left.isEmpty, "still dead: \(left.map(\.message.id))")
      try await second.putBack([sequence], of: subject, as: "billing")
      try await first.settle([(again[0], .acknowledged)], of: subject, as: "billing")
      await first.close()
      await second.close()
    },

    TransportCheck("Nothing is left of a consumer that is removed, and one of its name begins anew") { kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("removed")
      try await first.removeConsumer("billing", of: subject)
      try await first.store((1...4).map { TransportUnderTest.message(subject, $0) })
      for consumer in ["billing", "shipping"] {
        let claimed = try await claim(4, first, subject, consumer)
        try await first.settle(
          [(claimed[0], .acknowledged), (claimed[1], .dead(reason: "test")), (claimed[2], .retry(after: .zero))],
          of: subject, as: consumer)
      }
      try await second.removeConsumer("billing", of: subject)
      let dead = try await first.deadMessages(of: subject, as: "billing")
      try require(dead.isEmpty, "dead: \(dead.map(\.message.id))")
      let again = try await claim(4, second, subject, "billing").sorted { $0.message.sequence < $1.message.sequence }
      try require(again.map(\.message.id) == (1...4).map { "id-\($0)" }, "given out: \(again.map(\.message.id))")
      try require(again.allSatisfy { $0.attempt == 1 }, "attempts: \(again.map(\.attempt))")
      try await second.settle(again.map { ($0, .acknowledged) }, of: subject, as: "billing")
      // Another consumer is where it was.
      let others = try await first.deadMessages(of: subject, as: "shipping")
      try require(others.map(\.message.id) == ["id-2"], "dead for another consumer: \(others.map(\.message.id))")
      let next = try await claim(1, second, subject, "shipping")
      try require(next[0].message.id == "id-3" && next[0].attempt == 2, "given out: \(next)")
      try await second.settle([(next[0], .acknowledged)], of: subject, as: "shipping")
      await first.close()
      await second.close()
    },

    TransportCheck("What a process had claimed when it closed is given to another") { kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("closed")
      try await first.store((1...3).map { TransportUnderTest.message(subject, $0) })
      let claimed = try await claim(3, first, subject, "billing")
      try await first.settle([(claimed[0], .acknowledged)], of: subject, as: "billing")
      await first.close()
      let next = try await claim(2, second, subject, "billing")
      try require(next.map(\.message.id) == ["id-2", "id-3"], "given out: \(next.map(\.message.id))")
      await second.close()
    },

    TransportCheck("Of what a process had claimed when it ended, an attempt counts only for what had begun") { kit in
      let subject = TransportUnderTest.unique("ended")
      let sender = try await kit.connect()
      try await sender.store((1...3).map { TransportUnderTest.message(subject, $0) })
      await sender.close()
      func given(_ count: Int, _ transport: any RemoteTransport) async throws -> [ClaimedMessage] {
        try await claim(count, transport, subject, "billing").sorted { $0.message.sequence < $1.message.sequence }
      }
      for run in 0..<7 {
        let transport = try await kit.connect()
        let claimed = try await given(3, transport)
        try require(claimed.allSatisfy { $0.isRedelivered == (run > 0) }, "in run \(run), redelivered is not known")
        let attempts = claimed.map(\.attempt)
        try require(attempts == [1, max(1, run), 1], "attempts in run \(run): \(attempts)")
        if run > 0 { try await transport.begin(claimed[1], of: subject, as: "billing") }
        await transport.close()
      }
      let last = try await kit.connect()
      let claimed = try await given(3, last)
      try await last.settle(
        [
          (claimed[0], .acknowledged), (claimed[1], .retry(after: .zero)), (claimed[2], .returned(after: .zero)),
        ], of: subject, as: "billing")
      let again = try await given(2, last)
      try require(again.map(\.attempt) == [8, 1], "attempts: \(again.map(\.attempt))")
      try require(again.allSatisfy { !$0.isRedelivered }, "settled messages are not suspects")
      try await last.settle(again.map { ($0, .acknowledged) }, of: subject, as: "billing")
      await last.close()
    },

    TransportCheck("A process that waits for messages is woken by another's, and ends by its task's cancellation") {
      kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("woken")
      let waiting = Task { try await claim(1, first, subject, "billing") }
      try await second.store([TransportUnderTest.message(subject, 1)])
      let claimed = try await waiting.value
      try require(claimed.map(\.message.id) == ["id-1"], "given out: \(claimed.map(\.message.id))")
      try await first.settle([(claimed[0], .acknowledged)], of: subject, as: "billing")
      let cancelled = Task { try await first.claim(1, of: subject, as: "billing") }
      cancelled.cancel()
      if case .success(let claimed) = await cancelled.result {
        try require(claimed.isEmpty, "given out: \(claimed.map(\.message.id))")
      }
      await first.close()
      await second.close()
    },

    TransportCheck("A process that waits for messages when its transport is closed receives an error") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("reported")
      let waiting = Task {
        while true { _ = try await transport.claim(1, of: subject, as: "billing") }
      }
      await transport.close()
      let result = await waiting.result
      try require((try? result.get()) == nil, "it returned")
    },
  ]

  /// The given number of messages, of one or several claims.
  private static func claim(
    _ count: Int, _ transport: any RemoteTransport, _ subject: String, _ consumer: String
  ) async throws -> [ClaimedMessage] {
    var claimed: [ClaimedMessage] = []
    while claimed.count < count {
      claimed += try await transport.claim(count - claimed.count, of: subject, as: consumer)
    }
    return claimed
  }
}
