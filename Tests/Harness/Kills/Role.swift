#if SQLite && NATS && os(Linux)
import Foundation
import Synchronization
import Tidings
import TidingsJournal
import TidingsNATS
import TidingsRemote

/// The part of one process, with the default settings of the library. It writes into its log what it does, and may be killed anywhere.
struct Role: Sendable {
  enum Kind: String, CaseIterable {
    /// Sends kept messages, and emits others.
    case writer
    /// Handles kept messages.
    case reader
    /// Observes both kinds of messages.
    case observer
    /// Adds to a shared sum, and sets a shared label.
    case value
    /// Says at the end what the store holds.
    case audit
  }
  private typealias Finish = @Sendable () async -> Void
  private struct FirstAttempt: Error {}
  private let kind: Kind
  private let name: String
  private let log: Log
  private let input = Input()
  init(_ kind: Kind, _ name: String, _ log: Log) { (self.kind, self.name, self.log) = (kind, name, log) }

  func run(at place: String) async throws {
    let relay = try await makeRelay(at: place)
    let failing = relay.failures.observe { [log] failure in
      switch failure {
      case .missed("kills.prices", let count): log("missed \(count)")
      default: log("failure \(failure)")
      }
    }
    let finish: Finish
    switch kind {
    case .writer: finish = write(relay)
    case .reader: finish = handle(relay)
    case .observer: finish = await observe(relay)
    case .value: finish = change(relay)
    case .audit: finish = try await audit(relay, at: place)
    }
    log("ready")
    if kind != .audit { await input.end() }
    log("closing")
    await relay.close()
    log("closed")
    await finish()
    withExtendedLifetime(failing) {}
  }

  private func makeRelay(at place: String) async throws -> Relay {
    if place.hasPrefix("nats:") { return Relay(try NATSTransport(place), name: name, namespace: "kills") }
    while true {
      do {
        return Relay(try Journal(place), name: name, namespace: "kills")
      } catch TransportError.unavailable(let reason) {
        // The file is being replaced.
        log("failure opening: \(reason)")
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func write(_ relay: Relay) -> Finish {
    let orders = relay.event("orders", of: String.self, delivery: .kept)
    let prices = relay.event("prices", of: String.self)
    let sending = Task.detached { [self] in
      var first = 1
      while !input.hasEnded {
        let last = first + first % 6
        log("send \(first) \(last)")
        do {
          try await orders.send(contentsOf: (first...last).map { ("\(name).\($0)", id: "\(name).\($0)") })
          log("ack \(first) \(last)")
          for number in first...last { prices.emit("\(name).\(number)", isolation: nil) }
          first = last + 1
        } catch {
          // It is not known whether they are stored: they are sent again, under the same ids.
          log("failure sending: \(error)")
        }
        try? await Task.sleep(for: .milliseconds(10 + first * 7 % 50))
      }
    }
    return { await sending.value }
  }

  private func handle(_ relay: Relay) -> Finish {
    let orders = relay.event("orders", of: String.self, delivery: .kept)
    orders.handle(as: "billing") { [log] order, message in
      let number = Int(order.split(separator: ".").last ?? "") ?? 0
      log("handle \(message.id) \(message.attempt)")
      // Healthy messages may fail, too: one in fifty does once.
      if message.attempt == 1, number % 50 == 7 { throw FirstAttempt() }
      try await Task.sleep(for: .milliseconds(number % 97 == 0 ? 30 : number % 3))
      log("done \(message.id)")
    }
    return { withExtendedLifetime(orders) {} }
  }

  private func observe(_ relay: Relay) async -> Finish {
    while !input.hasEnded {
      if case .connected = relay.state.value { break }
      try? await Task.sleep(for: .milliseconds(10))
    }
    let orders = relay.event("orders", of: String.self, delivery: .kept)
    let prices = relay.event("prices", of: String.self)
    let tokens = [
      orders.observe { [log] order in log("seen \(order)") }, prices.observe { [log] price in log("live \(price)") },
    ]
    return { withExtendedLifetime((orders, prices, tokens)) {} }
  }

  private func values(_ relay: Relay) -> (sum: RelayedValue<Int>, label: RelayedValue<String>) {
    (
      relay.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base }),
      relay.value("label", initially: "none")
    )
  }

  private func change(_ relay: Relay) -> Finish {
    let (sum, label) = values(relay)
    let working = Task.detached { [self] in
      var count = 0
      while !input.hasEnded, !input.isQuiet {
        count += 1
        log("add")
        sum.update(isolation: nil) { $0 += 1 }
        if count % 10 == 0 {
          label.set("\(name).\(count)", isolation: nil)
          do {
            try await sum.settle()
            log("settled \(count)")
          } catch { log("failure settling: \(error)") }
        }
        try? await Task.sleep(for: .milliseconds(10 + count * 7 % 40))
      }
      while !input.hasEnded {
        if sum.isSettled.value, label.isSettled.value { log("value \(sum.value) \(label.value)") }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    return { await working.value }
  }

  private func audit(_ relay: Relay, at place: String) async throws -> Finish {
    let orders = relay.event("orders", of: String.self, delivery: .kept)
    for letter in try await orders.deadLetters(of: "billing") { log("dead \(letter.id) \(letter.reason)") }
    let (sum, label) = values(relay)
    try await sum.settle()
    try await label.settle()
    log("value \(sum.value) \(label.value)")
    if !place.hasPrefix("nats:") {
      let journal = try Journal(place)
      for problem in try journal.integrityCheck() { log("broken file \(problem)") }
      await journal.close()
    }
    return {}
  }
}

/// The standard input of a process, by which the harness asks it for something: a line asks it for quiet, its end to end.
final class Input: Sendable {
  private let isQuieted = Atomic(false)
  private let isOver = Atomic(false)
  var isQuiet: Bool { isQuieted.load(ordering: .relaxed) }
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  func end() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        while readLine() != nil { isQuieted.store(true, ordering: .relaxed) }
        isOver.store(true, ordering: .relaxed)
        continuation.resume()
      }
    }
  }
}
#endif
