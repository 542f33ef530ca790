import Foundation
import Tidings
public import TidingsRemote
import TidingsTesting

/// A program that the tests of transports run, and kill, as separate processes. The verbs are `send`, `handle`, `dead`, `echo`,
/// `set`, `follow`, `add` and `sum`.
///
/// The arguments are the verb, the path or address of the transport, the relay's name, and the arguments of the verb.
public struct RelayProcess {
  private let verb: String
  private let name: String
  private let rest: [String]
  /// The path or address of the transport.
  public let place: String

  public init(_ arguments: [String]) {
    (verb, place, name, rest) = (arguments[1], arguments[2], arguments[3], Array(arguments[4...]))
  }

  public func run(on transport: some RemoteTransport) async throws {
    let relay = Relay(transport, name: name, namespace: "test")
    // A transport that fails is part of these tests; what the relay reports of it is not.
    let failing = relay.failures.observe { if case .dead(_, let id, _) = $0 { report("dead \(id)") } }
    switch verb {
    case "send": try await send(Int(rest[0])!, Int(rest[1])!, relay)
    case "handle":
      await handle(
        rest[0], poison: rest.dropFirst().first.flatMap(Int.init),
        limit: rest.dropFirst(2).first.flatMap(Int.init) ?? .max,
        relay)
    case "dead":
      for letter in try await relay.event("orders.placed", of: Int.self, delivery: .kept).deadLetters(of: "billing") {
        report("dead \(letter.id): \(letter.reason)")
      }
      report("listed")
    case "echo":
      let (ping, pong) = (relay.event("ping", of: Int.self), relay.event("pong", of: Int.self))
      let echoing = ping.observe { pong.emit($0, isolation: nil) }
      report("ready")
      await inputEnds()
      withExtendedLifetime(echoing) {}
    case "set":
      // To each number up to one; says when the store has the last.
      let value = relay.value("value", initially: 0)
      for number in 1...Int(rest[0])! {
        value.set(number)
        if number % 50 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        if number % 1_000 == 0 { report("\(number)") }
      }
      try await value.settle()
      report("settled")
    case "follow":
      let value = relay.value("value", initially: 0)
      let following = value.observe { change in report("\(change.new)") }
      report("ready")
      await inputEnds()
      withExtendedLifetime(following) {}
    case "add":
      let sum = relay.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
      for number in 1...Int(rest[0])! {
        sum.update { $0 += 1 }
        if number % 20 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        if number % 100 == 0 { report("\(number)") }
      }
      try await sum.settle()
      report("settled")
    case "sum":
      let sum = relay.value("sum", initially: 0)
      try await sum.settle()
      report("\(sum.value)")
    default: fatalError(verb)
    }
    await relay.close()
    withExtendedLifetime(failing) {}
  }

  /// From a number to another, in batches; says which is the last that is kept.
  private func send(_ first: Int, _ last: Int, _ relay: Relay) async throws {
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    var next = first
    while next <= last {
      let end = min(next + 49, last)
      try await placed.send(contentsOf: (next...end).map { ($0, id: "order-\($0)") })
      report("\(end)")
      next = end + 1
    }
  }

  /// The effect is a file under the message's id, made once; says which it has made, and which were there.
  ///
  /// - Parameters:
  ///   - poison: The order whose handler ends the process.
  ///   - limit: After how many orders a handler does not return.
  private func handle(_ effects: String, poison: Int?, limit: Int, _ relay: Relay) async {
    let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
    let count = Recorder<Int>()
    placed.handle(as: "billing") { order, message in
      count(order)
      if count.values.count > limit { try await Task.sleep(for: .seconds(3_600)) }
      if order == poison { kill(getpid(), SIGKILL) }
      let made = open("\(effects)/\(message.id)", O_CREAT | O_EXCL | O_WRONLY, 0o600)
      if made >= 0 { close(made) }
      report("\(made >= 0 ? "made" : "again") \(order)")
    }
    await inputEnds()
  }
}

private func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Returns when the standard input has ended; a thread of its own waits for that.
private func inputEnds() async {
  await withCheckedContinuation { continuation in
    Thread {
      while readLine() != nil {}
      continuation.resume()
    }.start()
  }
}
