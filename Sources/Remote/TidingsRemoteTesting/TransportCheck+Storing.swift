import Foundation
import TidingsRemote
import TidingsTesting

extension TransportCheck {
  static let storing = [
    TransportCheck("What is stored reaches every subscriber of the kept subject, in the store's one order") { kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("stored")
      let (near, far) = (Receiver(), Receiver())
      let tokens = [
        try first.subscribe(to: subject, kept: true, near.receive),
        try second.subscribe(to: subject, kept: true, far.receive),
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, transport) in [first, second].enumerated() {
          group.addTask {
            for batch in 0..<10 {
              try await transport.store(
                (0..<10).map { TransportUnderTest.message(subject, index * 1_000 + batch * 10 + $0) })
            }
          }
        }
        try await group.waitForAll()
      }
      let (here, there) = (await near.messages(atLeast: 200), await far.messages(atLeast: 200))
      try require(here.count == 200, "\(here.count) of 200 received")
      try require(here.map(\.body) == there.map(\.body), "two subscribers received different orders")
      let sequences = here.map(\.sequence)
      try require(zip(sequences, sequences.dropFirst()).allSatisfy(<), "the store's order is not increasing")
      for index in 0..<2 {
        let own = here.compactMap { Int(String(decoding: $0.body, as: UTF8.self)) }.filter { $0 / 1_000 == index }
        try require(own == own.sorted(), "a sender's messages are out of order")
      }
      withExtendedLifetime(tokens) {}
      await first.close()
      await second.close()
    },

    TransportCheck("A message that is stored twice under one id is kept once") { kit in
      let (first, second) = (try await kit.connect(), try await kit.connect())
      let (subject, other) = (TransportUnderTest.unique("twice"), TransportUnderTest.unique("twice"))
      let (receiver, stranger) = (Receiver(), Receiver())
      let tokens = [
        try first.subscribe(to: subject, kept: true, receiver.receive),
        try first.subscribe(to: other, kept: true, stranger.receive),
      ]
      try await first.store([TransportUnderTest.message(subject, 1, id: "a")])
      try await second.store([
        TransportUnderTest.message(subject, 2, id: "a"), TransportUnderTest.message(subject, 3, id: "b"),
        TransportUnderTest.message(other, 4, id: "a"),
      ])
      let (bodies, strange) = (await receiver.bodies(atLeast: 2), await stranger.bodies(atLeast: 1))
      try require(bodies == ["1", "3"], "received \(bodies)")
      try require(strange == ["4"], "an id counts for one subject; of another was received \(strange)")
      withExtendedLifetime(tokens) {}
      await first.close()
      await second.close()
    },

    TransportCheck("A subscriber that wants no more is given few more, and the rest in order each time it is resumed") {
      kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("slow")
      let (slow, quick) = (Receiver(.none), Receiver())
      let token = try transport.subscribe(to: subject, kept: true, slow.receive)
      let other = try transport.subscribe(to: subject, kept: true, quick.receive)
      for first in stride(from: 0, to: 6_000, by: 500) {
        try await transport.store((first..<first + 500).map { TransportUnderTest.message(subject, $0) })
      }
      _ = await quick.messages(atLeast: 6_000)
      try require(slow.count < 3_000, "\(slow.count) received by a subscriber that wanted no more")
      while slow.count < 6_000 {
        let count = slow.count
        token.resume()
        _ = await slow.messages(atLeast: count + 1)
      }
      let bodies = await slow.bodies(atLeast: 6_000)
      try require(bodies == (0..<6_000).map { "\($0)" }, "lost, repeated or out of order")
      withExtendedLifetime((token, other)) {}
      await transport.close()
    },

    TransportCheck("A subscriber that is resumed again and again while messages are stored receives each, in order") {
      kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("resumed")
      let (slow, quick) = (Receiver(.none), Receiver())
      let token = try transport.subscribe(to: subject, kept: true, slow.receive)
      let other = try transport.subscribe(to: subject, kept: true, quick.receive)
      let storing = Task {
        for first in stride(from: 0, to: 4_000, by: 4) {
          try await transport.store((first..<first + 4).map { TransportUnderTest.message(subject, $0) })
        }
      }
      while slow.last != "3999" {
        token.resume()
        await Task.yield()
      }
      try await storing.value
      let (bodies, all) = (await slow.bodies(atLeast: 1), (0..<4_000).map { "\($0)" })
      try require(bodies == all, "lost, repeated or out of order: \(bodies.count) of 4,000 received")
      try require(await quick.bodies(atLeast: 4_000) == all, "another subscriber received something else")
      withExtendedLifetime((token, other)) {}
      await transport.close()
    },

    TransportCheck(
      "Where retention removed messages, a subscriber that had yet to be given them is given their number"
    ) { kit in
      guard let prune = kit.prune else { return }
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("pruned")
      let (slow, quick) = (Receiver(.none), Receiver())
      let token = try transport.subscribe(to: subject, kept: true, missed: slow.miss, slow.receive)
      let other = try transport.subscribe(to: subject, kept: true, missed: quick.miss, quick.receive)
      func store(_ numbers: Range<Int>) async throws {
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
          try await transport.store(
            (first..<min(first + 500, numbers.upperBound)).map { TransportUnderTest.message(subject, $0) })
        }
        _ = await quick.messages(atLeast: numbers.upperBound)
      }
      try await store(0..<6_000)
      try await prune(100, subject)
      while slow.last != "5999" {
        let count = slow.count
        token.resume()
        _ = await slow.messages(atLeast: count + 1)
      }
      // The newest are gone too, so no message shows the gap.
      try await store(6_000..<10_000)
      try await prune(0, subject)
      while slow.count + slow.missed < 10_000 {
        token.resume()
        await Task.yield()
      }
      let bodies = await slow.bodies(atLeast: 0).compactMap { Int($0) }
      let missing = zip(bodies + [10_000], [-1] + bodies).enumerated().compactMap { index, pair in
        pair.0 > pair.1 + 1 ? "\(pair.0 - pair.1 - 1) after \(index)" : nil
      }
      let marks = slow.gaps.values.map { "\($0.count ?? -1) after \($0.after)" }
      try require(missing == marks, "missing: \(missing), marks: \(marks)")
      try require(quick.count == 10_000, "\(quick.count) of 10,000 were given to a quick subscriber")
      try require(quick.gaps.values.isEmpty, "a subscriber that was given everything was given a mark")
      withExtendedLifetime((token, other)) {}
      await transport.close()
    },

    TransportCheck("A subscriber of a kept subject receives what is stored from then on") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("late")
      try await transport.store([TransportUnderTest.message(subject, 1)])
      let receiver = Receiver()
      let token = try transport.subscribe(to: subject, kept: true, receiver.receive)
      try await transport.store([TransportUnderTest.message(subject, 2)])
      let bodies = await receiver.bodies(atLeast: 1)
      try require(bodies == ["2"], "received \(bodies)")
      withExtendedLifetime(token) {}
      await transport.close()
    },
  ]
}
