#if NATS
import Foundation
import RemoteTestSupport
import Testing
import Tidings
import TidingsNATS
import TidingsRemote
import TidingsTesting

/// Keys, streams and buckets that operators and other programs change while relays use them.
@Suite("What is stored at a broker", .timeLimit(.minutes(60)), .serialized)
struct NATSStoreTests {
  private let server: Server
  private let other: BrokerOperator
  init() async throws {
    server = try await Server()
    other = try BrokerOperator(server)
  }

  private func relay(_ name: String, claimTimeout: Duration = .seconds(2)) throws -> Relay {
    Relay(
      try NATSTransport(server.url, storage: NATSStorage(claimTimeout: claimTimeout), timeout: .seconds(2)), name: name,
      namespace: "test")
  }

  enum Change: CaseIterable {
    case deletedKeys, purgedKeys, removedMessages, deletedBucket, bucketOfOthers

    /// Whether the broker notifies the readers. Otherwise they learn of it by their next write.
    var isNotified: Bool { self != .removedMessages }

    func make(_ other: BrokerOperator) throws {
      switch self {
      case .deletedKeys: for key in ["test.sum", "test.name"] { try other.deleteKey(key) }
      case .purgedKeys: for key in ["test.sum", "test.name"] { try other.deleteKey(key, purging: true) }
      case .removedMessages: try other.purge("KV_tidings", "$KV.tidings.test.*")
      case .deletedBucket: try other.deleteStream("KV_tidings")
      case .bucketOfOthers:
        try other.deleteStream("KV_tidings")
        // A relay may be quicker.
        _ = try? other.ask("$JS.API.STREAM.CREATE.KV_tidings", #"{"name":"KV_tidings","subjects":["$KV.tidings.>"]}"#)
        // More than the old bucket had, so that no number is a new one.
        for _ in 1...50 { while (try? other.ask("$KV.tidings.unrelated", "1")) == nil {} }
      }
    }
  }

  @Test("Values whose keys or bucket are deleted are decided by their rules, on all sides", arguments: Change.allCases)
  func values(_ change: Change) async throws {
    // nats-server 2.9.10 may be left with a broken stream when two connections make it simultaneously.
    let relays = try (change == .deletedBucket ? ["a"] : ["a", "b"]).map { try relay($0) }
    let failures = relays.map { $0.failures.record() }
    let sums = relays.map {
      $0.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
    }
    let names = relays.map { $0.value("name", initially: "") }
    sums[0].set(10)
    names[0].set("kept")
    try await sums[0].settle()
    try await names[0].settle()
    let isShared = await eventually { sums.allSatisfy { $0.value == 10 } && names.allSatisfy { $0.value == "kept" } }
    #expect(isShared)
    try change.make(other)
    if change.isNotified {
      // Without a conflict rule the processes' value is written again; the sum begins with its initial value.
      let begun = await eventually { sums.allSatisfy { $0.value == 0 && $0.isSettled.value } }
      #expect(begun, "\(sums.map(\.value)) \(failures.map(\.values))")
      let late = try relay("late")
      let name = late.value("name", initially: "")
      let isKept = await eventually { name.value == "kept" }
      #expect(isKept)
      await late.close()
    }
    sums.last?.update { $0 += 5 }
    names.last?.set("again")
    let isWritten = await eventually {
      sums.allSatisfy { $0.value == 5 && $0.isSettled.value } && names.allSatisfy { $0.value == "again" }
    }
    #expect(isWritten, "\(sums.map(\.value)) \(names.map(\.value)) \(failures.map(\.values))")
    let third = try relay("c")
    let (sum, name) = (third.value("sum", initially: 0), third.value("name", initially: ""))
    let isStored = await eventually { sum.value == 5 && name.value == "again" }
    #expect(isStored)
    #expect(failures.contains { $0.values.contains { "\($0)".contains("older") } }, "\(failures.map(\.values))")
    for relay in relays + [third] { await relay.close() }
  }

  @Test("A value whose key was deleted before any process had it begins with its initial value, and is written")
  func deletedBefore() async throws {
    let first = try relay("first")
    let value = first.value("sum", initially: 0)
    value.set(3)
    try await value.settle()
    await first.close()
    try other.deleteKey("test.sum")
    let second = try relay("second")
    let again = second.value("sum", initially: 1)
    try await again.settle()
    #expect(again.value == 1)
    again.set(4)
    try await again.settle()
    await second.close()
    let third = try relay("third")
    let last = third.value("sum", initially: 0)
    try await last.settle()
    #expect(last.value == 4)
    await third.close()
  }

  @Test("In a stream that was deleted and made again, send stores what observers and handlers receive, with one report")
  func streams() async throws {
    let (shop, billing) = (try relay("shop"), try relay("billing"))
    let placed = shop.event("orders", of: Int.self, delivery: .kept)
    let received = billing.event("orders", of: Int.self, delivery: .kept)
    let (seen, handled, failures) = (received.record(), Recorder<Int>(), billing.failures.record())
    received.handle(as: "billing") { handled($0) }
    for number in 1...20 { try await placed.send(number) }
    #expect(await seen.values(atLeast: 20) == Array(1...20))
    _ = await handled.values(atLeast: 20)
    try other.deleteStream("tidings+test+orders")
    for number in 21...25 { try await placed.send(number) }
    let isReceived = await eventually { seen.values.count == 25 && handled.values.count == 25 }
    #expect(isReceived, "\(seen.values) \(handled.values) \(failures.values)")
    #expect(seen.values.suffix(5) == Array(21...25) && Set(handled.values) == Set(1...25))
    #expect(failures.values.filter { "\($0)".contains("another stream than before") }.count == 1)
    await shop.close()
    await billing.close()
  }

  @Test("A record of a message that was in the stream's place before says nothing about the message that is there now")
  func records() async throws {
    let shop = try relay("shop")
    let once = shop.event("orders", of: Int.self, delivery: .kept(attempts: 1))
    let failures = shop.failures.record()
    let handling = once.handle(as: "billing") { number in throw Failed(number: number) }
    try await once.send(1)
    let isDead = await eventually { failures.values.contains { if case .dead = $0 { true } else { false } } }
    #expect(isDead)
    #expect(try await once.deadLetters(of: "billing").map(\.sequence) == [1])
    await handling.finish()
    try other.deleteStream("tidings+test+orders")
    try await once.send(2)
    #expect(try await once.deadLetters(of: "billing").isEmpty)
    let again = shop.event("orders", of: Int.self, delivery: .kept(attempts: 3, retryDelay: .milliseconds(10)))
    let attempts = Recorder<Int>()
    again.handle(as: "billing") { number, message in
      attempts(message.attempt)
      if message.attempt < 3 { throw Failed(number: number) }
    }
    #expect(await attempts.values(atLeast: 3) == [1, 2, 3])
    await shop.close()
  }
  private struct Failed: Error { let number: Int }

  enum RecordChange: CaseIterable { case deletedKey, otherContent, extremeNumbers, deletedBucket }

  @Test("A record of attempts that others change or delete hinders no message", arguments: RecordChange.allCases)
  func otherRecords(_ change: RecordChange) async throws {
    let shop = try relay("shop")
    let placed = shop.event("orders", of: Int.self, delivery: .kept(attempts: 3, retryDelay: .milliseconds(400)))
    let (attempts, failures) = (Recorder<Int>(), shop.failures.record())
    placed.handle(as: "billing") { number, message in
      attempts(message.attempt)
      if attempts.values.count == 1 { throw Failed(number: number) }
    }
    try await placed.send(1)
    _ = await attempts.values(atLeast: 1)
    let key = "$KV.tidings_claims.billing.test.orders.1"
    let isRecorded = await eventually {
      // Not by asking for the record: nats-server 2.9.10 may exit when it is asked while the record is being written.
      (try? other.ask("$JS.API.STREAM.INFO.KV_tidings_claims"))?.contains(#""messages":1,"#) ?? false
    }
    #expect(isRecorded)
    switch change {
    case .deletedKey: try other.ask(key, headers: ["KV-Operation": "DEL"])
    case .otherContent: try other.ask(key, #"{"returns":"none"}"#)
    case .extremeNumbers:
      try other.ask(key, #"{"returns":-9223372036854775808,"delivered":9223372036854775807}"#)
    case .deletedBucket: try other.deleteStream("KV_tidings_claims")
    }
    try await placed.send(2)
    let isOver = await eventually {
      change == .extremeNumbers
        ? failures.values.contains { if case .dead = $0 { true } else { false } } : attempts.values.count == 3
    }
    #expect(isOver, "\(attempts.values) \(failures.values)")
    _ = try await placed.deadLetters(of: "billing")
    await shop.close()
  }

  @Test("Messages of any content on a kept subject are rejected and reported, and the one after them is received")
  func foreign() async throws {
    let shop = try relay("shop")
    let placed = shop.event("orders", of: Int.self, delivery: .kept)
    let (seen, handled, failures) = (placed.record(), Recorder<Int>(), shop.failures.record())
    try await placed.send(1)
    _ = await seen.values(atLeast: 1)
    try other.ask("test.orders")
    try other.ask("test.orders", "text")
    for header in [
      "", " ", "o 1 99999999999999999999 Int 1 id", "o -1 1 Int 1 id", "o 1 17 Int 99999999999999999999 id",
      "= = = = = =",
    ] {
      try other.ask("test.orders", "7", headers: ["Tidings": header])
    }
    placed.handle(as: "billing") { handled($0) }
    try await placed.send(2)
    #expect(await seen.values(atLeast: 2) == [1, 2])
    let isHandled = await eventually { handled.values == [1, 2] }
    #expect(isHandled, "\(handled.values)")
    let isReported = await eventually { failures.values.contains { "\($0)".contains("not a message of a relay") } }
    #expect(isReported, "\(failures.values)")
    await shop.close()
  }

  @Test("No argument of a transport traps")
  func arguments() async throws {
    for extreme in [Duration.seconds(Int64.min), .zero, .seconds(Int64.max)] {
      for number in [Int.min, 0, .max] {
        let storage = NATSStorage(
          newest: number, age: extreme, duplicates: extreme, claimTimeout: extreme, bucket: "extreme")
        let transport = try NATSTransport(server.url, storage: storage, timeout: max(extreme, .seconds(2)))
        let relay = Relay(transport, name: "shop", namespace: "extreme")
        let (state, value) = (relay.state, relay.value("value", initially: 0))
        let isConnected = await eventually { if case .connected = state.value { true } else { false } }
        #expect(isConnected)
        value.set(1)
        try await value.settle()
        let placed = relay.event("\(number)", of: Int.self, delivery: .kept(attempts: 1))
        let sending = Task { try await placed.send(1) }
        // Some of them the broker rejects.
        _ = await sending.result
        await relay.close()
      }
    }
  }
}
#endif
