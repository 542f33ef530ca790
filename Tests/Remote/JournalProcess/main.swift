// What the journal's tests run, and kill, as processes of their own: `send`, `handle` and `echo` on one file.
#if SQLite
import Foundation
import Tidings
import TidingsJournal
import TidingsRemote

let arguments = CommandLine.arguments
let (verb, path, name) = (arguments[1], arguments[2], arguments[3])
let relay = Relay(try Journal(path), name: name, namespace: "test")

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
case "echo":
  let (ping, pong) = (relay.event("ping", of: Int.self), relay.event("pong", of: Int.self))
  let echoing = ping.observe { pong.emit($0, isolation: nil) }
  report("ready")
  await inputEnds()
  withExtendedLifetime(echoing) {}
default: fatalError(verb)
}
await relay.close()
#endif
