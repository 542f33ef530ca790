// What the tests of NATS run, and kill, as processes of their own on one broker: `send`, `handle`, `set`, `follow`, `add` and `sum`.
#if NATS
import Foundation
import Tidings
import TidingsNATS
import TidingsRemote

let arguments = CommandLine.arguments
let (verb, url, name) = (arguments[1], arguments[2], arguments[3])
let transport = try NATSTransport(url, storage: NATSStorage(claimTimeout: .seconds(2)), timeout: .seconds(2))
let relay = Relay(transport, name: name, namespace: "test")

@Sendable func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Returns when the standard input has ended. Not on this thread: the handlers below are the main actor's, as they are formed here.
func inputEnds() async {
  await withCheckedContinuation { continuation in
    Thread {
      while readLine() != nil {}
      continuation.resume()
    }.start()
  }
}

// A broker that is killed is part of these tests; what the relay says of it is not.
let failing = relay.failures.observe { _ in }
switch verb {
case "send":
  // From a number to another, in batches; says which is the last that is kept.
  let placed = relay.event("orders.placed", of: Int.self, delivery: .kept)
  var (next, last) = (Int(arguments[4])!, Int(arguments[5])!)
  while next <= last {
    let end = min(next + 49, last)
    try await placed.send(contentsOf: (next...end).map { ($0, id: "order-\($0)") })
    report("\(end)")
    next = end + 1
  }
case "handle":
  // The effect is a file under the message's id, made once; says which it has made, and which were there.
  let effects = arguments[4]
  let placed = relay.event("orders.placed", of: Int.self, delivery: .kept(attempts: .max))
  placed.handle(as: "billing") { order, message in
    let made = open("\(effects)/\(message.id)", O_CREAT | O_EXCL | O_WRONLY, 0o600)
    if made >= 0 { close(made) }
    report("\(made >= 0 ? "made" : "again") \(order)")
  }
  await inputEnds()
case "set":
  // To each number up to one; says when the broker has the last.
  let value = relay.value("value", initially: 0)
  for number in 1...Int(arguments[4])! {
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
  for number in 1...Int(arguments[4])! {
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
#endif
