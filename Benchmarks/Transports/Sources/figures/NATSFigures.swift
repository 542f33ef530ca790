#if NATS
import Foundation
import Tidings
import TidingsNATS
import TidingsRemote

/// Events and kept events through a broker, in two processes, beside the client library alone in the same run.
struct NATSFigures {
  private let broker: Broker
  private let count = 200_000

  init() throws { broker = try Broker() }

  func run(only word: String?) async throws {
    var table = Table(only: word)
    var received: [Double] = []
    let rawOut = try await table.add("raw libnats: bytes published", tries: 3, "a second", .none) {
      let (out, into) = try raw()
      received.append(into)
      return out
    }
    let rawIn = received.sorted().dropFirst(1).first
    if let rawIn { table.add("raw libnats: bytes received", rawIn, "a second", .none) }
    received = []
    let out = try await table.add("events emitted, as JSON", tries: 3, "a second", .atLeast(150_000)) {
      let (out, into) = try await emitted()
      received.append(into)
      return out
    }
    let into = received.sorted().dropFirst(1).first
    if let into { table.add("events received, as JSON", into, "a second", .atLeast(150_000)) }
    table.ratio("events emitted, to raw", out, to: rawOut)
    table.ratio("events received, to raw", into, to: rawIn)
    let rawKept = await table.add("raw libnats: kept, pipelined", tries: 3, "a second", .none) { self.rawKept() }
    let kept = try await table.add(
      "kept events sent, batches of 1,000 by 4 tasks", tries: 3, "a second", .atLeast(100_000)
    ) {
      try await self.kept()
    }
    table.ratio("kept events sent, to raw", kept, to: rawKept)
    try await table.add("kept events, handled and acknowledged", tries: 3, "a second", .atLeast(20_000), handled)
    var delays: [Double] = []
    let rawDelay = try await table.add("raw libnats: delay to another process, p50", "µs", .none) {
      try await rawDelays()
    }
    let delay = try await table.add("delay of an event to another process, p50", "µs", .atMost(250)) {
      delays = try await self.delays()
      return delays[delays.count / 2]
    }
    if !delays.isEmpty {
      table.add("delay of an event to another process, p99", delays[delays.count * 99 / 100], "µs", .none)
    }
    table.ratio("delay of an event, to raw", delay, to: rawDelay)
    broker.stop()
    table.end()
  }

  private func relay(_ limit: Int = 65_536) throws -> Relay {
    Relay(try NATSTransport(broker.url), name: "figures", namespace: "figures", buffering: limit)
  }
  private func fresh() -> String { "ticks\(UInt32.random(in: 0 ... .max))" }

  private func raw() throws -> (Double, Double) {
    let child = try ChildProcess("raw-process", "count", broker.url, "\(count)")
    _ = child.line()
    let raw = RawNATS(broker.url)
    let time = ContinuousClock().measure { raw.publish("raw", count) }
    let taken = Double(child.line() ?? "")!
    child.end()
    return (Double(count) / time.seconds, Double(count) / taken * 1e9)
  }

  private func emitted() async throws -> (Double, Double) {
    let name = fresh()
    let child = try ChildProcess("nats-process", "count", broker.url, name, "\(count)")
    let relay = try relay(.max)
    let ticks = relay.event(name, of: Tick.self)
    // Until the other process receives.
    let (received, receiving) = AsyncStream.makeStream(of: Void.self)
    Thread {
      _ = child.line()
      receiving.finish()
    }.start()
    let probing = Task { @Sendable in
      while !Task.isCancelled {
        ticks.emit(.number(0), isolation: nil)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    for await _ in received {}
    probing.cancel()
    await probing.value
    let time = await ContinuousClock().measure {
      for number in 1...count { ticks.emit(.number(number), isolation: nil) }
      await relay.close()
    }
    let taken = Double(child.line() ?? "")!
    child.end()
    return (Double(count) / time.seconds, Double(count) / taken * 1e9)
  }

  private func rawKept() -> Double {
    let name = fresh()
    let time = ContinuousClock().measure { RawNATS(broker.url).store("raw." + name, name, count) }
    return Double(count) / time.seconds
  }

  private func kept() async throws -> Double {
    let relay = try relay()
    let seconds = try await Sending.batches(
      of: 1_000, by: 4, count, relay.event(fresh(), of: Tick.self, delivery: .kept))
    await relay.close()
    return Double(count) / seconds
  }

  private func handled() async throws -> Double {
    let (relay, count) = (try relay(), count / 5)
    let seconds = try await Sending.handling(
      count, relay.event(fresh(), of: Tick.self, delivery: .kept(batch: 512)))
    await relay.close()
    return Double(count) / seconds
  }

  /// In microseconds; sorted.
  private func delays() async throws -> [Double] {
    let child = try ChildProcess("nats-process", "times", broker.url, "times", "0")
    let relay = try relay()
    let times = relay.event("times", of: Int64.self)
    _ = child.line()
    try await Task.sleep(for: .milliseconds(200))
    let delays = try await Sending.delays(child) { times.emit(monotonicNow(), isolation: nil) }
    await relay.close()
    return delays.map { $0 * 1_000 }
  }
  private func rawDelays() async throws -> Double {
    let child = try ChildProcess("raw-process", "times", broker.url, "0")
    _ = child.line()
    let raw = RawNATS(broker.url, asSoonAsPossible: true)
    let delays = try await Sending.delays(child) { raw.publish("raw", "\(monotonicNow())") }
    return delays[500] * 1_000
  }
}

/// The other process.
enum NATSProcess {
  static func run(_ arguments: [String]) async throws {
    let (name, count) = (arguments[4], Int(arguments[5])!)
    let relay = Relay(try NATSTransport(arguments[3]), name: "other", namespace: "figures", buffering: .max)
    if arguments[2] == "times" {
      let times = relay.event(name, of: Int64.self)
      let subscription = times.observe { began in say("\(monotonicNow() - began)") }
      while true {
        if case .connected = relay.state.value { break } else { try await Task.sleep(for: .milliseconds(5)) }
      }
      say("ready")
      await ChildProcess.inputEnds()
      withExtendedLifetime((times, subscription)) {}
    } else {
      let ticks = relay.event(name, of: Tick.self)
      let began = Began()
      let subscription = ticks.observe { tick in
        switch tick.number {
        case 0: began.probe()
        case 1: began.first()
        case count: say("\(began.sinceFirst)")
        default: break
        }
      }
      await ChildProcess.inputEnds()
      withExtendedLifetime((ticks, subscription)) {}
    }
    await relay.close()
  }

  private final class Began: Sendable {
    private let hasSaid = Locked(false)
    private let time = Locked(Int64(0))
    func probe() {
      if hasSaid.exchange(true) == false { say("received") }
    }
    func first() { _ = time.exchange(monotonicNow()) }
    var sinceFirst: Int64 { monotonicNow() - time.value }
  }
}

private final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value
  init(_ value: Value) { stored = value }
  var value: Value { lock.withLock { stored } }
  func exchange(_ new: Value) -> Value {
    lock.withLock {
      defer { stored = new }
      return stored
    }
  }
}
#endif
