import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRemote

@Suite("A relayed hook", .timeLimit(.minutes(60)))
struct RelayedHookTests {
  private let relays = TwoRelays()
  private func hook(_ relay: Relay) -> RelayedHook<Int, String> {
    relay.hook("quote", asking: Int.self, answering: String.self)
  }

  @Test("As its documentation shows it: a question is answered by a handler of another process")
  func documentation() async throws {
    let relay = relays.billing
    @Sendable func price(of symbol: String) async throws -> Price { Price(symbol: symbol, value: 7) }
    let quote = relay.hook("market.quote", asking: String.self, answering: Price.self)
    let subscription = quote.handle { symbol in try await price(of: symbol) }
    do {
      let quote = relays.shop.hook("market.quote", asking: String.self, answering: Price.self)
      let price = try await quote.first("ABC", within: .seconds(2))
      #expect(price == Price(symbol: "ABC", value: 7))
    }
    withExtendedLifetime(subscription) {}
    await relays.close()
  }

  @Test(
    "Every process with a handler answers, the asker's too, and each asker receives the answers to its own questions")
  func all() async throws {
    let (here, there, other) = (hook(relays.shop), hook(relays.billing), hook(relays.shop))
    let tokens = [here.handle { "here \($0)" }, there.handle { "there \($0)" }]
    let first = Task { try await here.all(1, upTo: 2, within: .seconds(600)) }
    let second = Task { try await other.all(2, upTo: 2, within: .seconds(600)) }
    #expect(try await first.value.sorted() == ["here 1", "there 1"])
    #expect(try await second.value.sorted() == ["here 2", "there 2"])
    withExtendedLifetime(tokens) {}
    await relays.close()
  }

  @Test("All answers are those that have come when the time is over, none without a handler")
  func timeIsOver() async throws {
    let (asking, clock) = (hook(relays.shop), ManualClock())
    let none = Task { try await asking.all(1, within: .seconds(5), clock: clock) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    #expect(try await none.value == [])
    await relays.close()
  }

  @Test("Without an answer in time the asker has an error, and the handler is cancelled; a late answer is nobody's")
  func deadline() async throws {
    let (asking, answering, clock) = (hook(relays.shop), hook(relays.billing), ManualClock())
    let (began, ended, cancelled) = (Latch(), Recorder<Bool>(), Latch())
    let token = answering.handle { number in
      guard number == 1 else { return "\(number)" }
      began.open()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      ended(Task.isCancelled)
      return "late"
    }
    let question = Task { try await asking.first(1, within: .milliseconds(1), clock: clock) }
    await began.wait()
    clock.advance(by: .seconds(1))
    await #expect(throws: AnswerError.noAnswer(within: .milliseconds(1))) { try await question.value }
    #expect(try await asking.first(2) == "2")
    #expect(await ended.values(atLeast: 1) == [true])
    #expect(try await asking.first(3) == "3")
    withExtendedLifetime(token) {}
    await relays.close()
  }

  @Test("Without a handler anywhere there is no answer, and a question that is cancelled throws")
  func nobody() async throws {
    let (asking, clock) = (hook(relays.shop), ManualClock())
    let question = Task { try await asking.first(1, within: .seconds(60), clock: clock) }
    await clock.sleepers(1)
    question.cancel()
    await #expect(throws: CancellationError.self) { try await question.value }
    await #expect(throws: AnswerError.noAnswer(within: .zero)) { try await asking.first(1, within: .zero) }
    await relays.close()
    await #expect(throws: TransportError.closed) { try await hook(relays.shop).first(1) }
  }

  @Test("An error of a handler reaches the asker as text")
  func failing() async throws {
    let (asking, answering) = (hook(relays.shop), hook(relays.billing))
    let token = answering.handle { _ in throw OutOfPaper() }
    await #expect(throws: AnswerError.failed("OutOfPaper()")) { try await asking.first(1) }
    withExtendedLifetime(token) {}
    await relays.close()
  }

  @Test("Questions that ask each other in a cycle are stopped and reported")
  func cycle() async throws {
    let (ping, pong) = (hook(relays.shop), relays.billing.hook("pong", asking: Int.self, answering: String.self))
    let asking = relays.shop.hook("pong", asking: Int.self, answering: String.self)
    let back = hook(relays.billing)
    let failures = [relays.shop.failures.record(), relays.billing.failures.record()]
    let tokens = [
      ping.handle { try await asking.first($0 + 1) }, pong.handle { try await back.first($0 + 1) },
    ]
    await #expect(throws: AnswerError.self) { try await back.first(0) }
    let isReported = await eventually {
      failures.flatMap(\.values).contains { if case .cycle = $0 { true } else { false } }
    }
    #expect(isReported)
    withExtendedLifetime(tokens) {}
    await relays.close()
  }

  @Test("Questions that no relay can have sent are rejected and reported, and the next one is answered")
  func foreign() async throws {
    let (asking, answering) = (hook(relays.shop), hook(relays.billing))
    let (token, failures) = (answering.handle { "\($0)" }, relays.billing.failures.record())
    let strange = MemoryTransport.memory(relays.broker)
    let bodies = [
      "", "\n", "7", "{}\n7", #"{"question":-1}"# + "\n7", #"{"question":1,"replyTo":"a.b"}"# + "\n7",
      #"{"question":1,"replyTo":""}"# + "\n7", #"{"question":1,"replyTo":"a","milliseconds":-1}"# + "\n7",
      #"{"question":1,"replyTo":"a","milliseconds":9223372036854775807}"# + "\n7",
    ]
    for body in bodies {
      try await strange.publish([
        RemoteMessage(subject: "test.quote", id: "", origin: "o", schema: "Int", version: 1, body: Data(body.utf8))
      ])
    }
    #expect(try await asking.first(5) == "5")
    for violation in ["no header", "the address", "-1 milliseconds", "9223372036854775807 milliseconds"] {
      let isReported = await eventually { failures.values.contains { "\($0)".contains(violation) } }
      #expect(isReported, "\(violation): \(failures.values)")
    }
    withExtendedLifetime(token) {}
    await relays.close()
  }
}
