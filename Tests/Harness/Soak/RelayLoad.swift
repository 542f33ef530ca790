import Synchronization
import Tidings
import TidingsRemote
import TidingsRemoteTesting

/// Two processes, as far as they can see, over a broker in memory that is unreachable now and then and loses answers.
struct RelayLoad: Sendable {
  let statistics: Statistics

  func round(values: Int) async {
    let broker = MemoryBroker()
    let relays = ["shop", "billing"].map { Relay(.memory(broker), name: $0, namespace: "soak") }
    // The trouble is reported as such.
    let failures = relays.map { $0.failures.observe { _ in } }
    let sums = relays.map {
      $0.value("sum", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
    }
    let orders = relays.map { $0.event("orders", of: Int.self, delivery: .kept(attempts: 1_000, retryDelay: .zero)) }
    let prices = relays.map { $0.event("prices", of: Int.self) }
    let near = Mutex([Int]())
    let far = Mutex([Int]())
    let tokens = [
      prices[0].observe { number in near.withLock { $0.append(number) } },
      prices[1].observe { number in far.withLock { $0.append(number) } },
    ]
    let handled = Mutex<[Int: Int]>([:])
    let handling = orders[1].handle(as: "billing") { order in handled.withLock { $0[order, default: 0] += 1 } }
    await withTaskGroup(of: Void.self) { group in
      for sum in sums {
        group.addTask {
          for _ in 0..<values {
            sum.update(isolation: nil) { $0 += 1 }
            await Task.yield()
          }
        }
      }
      group.addTask { [order = orders[0]] in
        for number in 0..<values {
          do {
            try await order.send(number, id: number.description)
          } catch {
            check(false, "an order was not kept: \(error)")
          }
        }
      }
      group.addTask { [price = prices[0]] in
        for number in 0..<values {
          price.emit(number)
          if number % 10 == 0 { await Task.yield() }
        }
      }
      group.addTask {
        for _ in 0..<10 {
          broker.loseAnswers(2)
          await Task.yield()
          broker.isReachable = false
          await Task.yield()
          broker.isReachable = true
          await Task.yield()
        }
      }
    }
    for _ in 0..<30_000 {
      if handled.withLock({ $0.count }) == values, sums.allSatisfy({ $0.value == 2 * values && $0.isSettled.value }) {
        break
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    check(sums.allSatisfy { $0.value == 2 * values }, "\(sums.map(\.value)) is not a sum of \(2 * values) additions")
    check(handled.withLock { $0.count } == values, "\(handled.withLock { $0.count }) of \(values) orders were handled")
    for relay in relays { await relay.close() }
    check(near.withLock { $0 } == Array(0..<values), "a relayed event did not reach the handlers of its own process")
    // At most once: in order, and what the broker did not take is missing.
    let arrived = far.withLock { $0 }
    check(zip(arrived, arrived.dropFirst()).allSatisfy { $0 < $1 }, "a relayed event came twice or out of order")
    statistics.count("orders kept and handled", values)
    statistics.count("orders handled once more", handled.withLock { $0.values.reduce(0) { $0 + $1 - 1 } })
    statistics.count("additions of two relays", 2 * values)
    statistics.count("relayed values, missing", values - arrived.count)
    handling.cancel()
    for token in tokens + failures { token.cancel() }
  }
}
