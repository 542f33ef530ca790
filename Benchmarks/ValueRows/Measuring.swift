import Foundation
import Synchronization

let start = Atomic<Bool>(false)
/// Seconds that the bodies take together, from a common start.
func time(_ bodies: [() -> Void]) -> Double {
  let (ready, left) = (DispatchGroup(), DispatchGroup())
  start.store(false, ordering: .releasing)
  for body in bodies {
    ready.enter()
    left.enter()
    nonisolated(unsafe) let body = body  // one thread runs it
    let thread = Thread {
      ready.leave()
      while !start.load(ordering: .acquiring) { sched_yield() }
      body()
      left.leave()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
  ready.wait()
  let clock = ContinuousClock()
  let began = clock.now
  start.store(true, ordering: .releasing)
  left.wait()
  let (seconds, attoseconds) = (clock.now - began).components
  return Double(seconds) + Double(attoseconds) / 1e18
}
func text(_ number: Double, _ width: Int, _ digits: Int = 0) -> String {
  let text = String(format: "%.\(digits)f", number)
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// The nanoseconds of an operation, of one thread and of two. The lowest of several passes: other work only adds.
func measure(_ row: Row, passes: Int) -> (one: Double, two: Double) {
  // Made by the main thread, used by others: as programs do.
  let operations = (0..<2).map { row.make($0) }
  let bodies = operations.map { operation in { for number in 0..<row.count { operation(number) } } }
  _ = time([bodies[0]])
  _ = time(bodies)
  var (one, two) = (Double.infinity, Double.infinity)
  for _ in 0..<passes {
    one = min(one, time([bodies[0]]))
    two = min(two, time(bodies))
  }
  return (one / Double(row.count) * 1e9, two / Double(row.count) * 1e9)
}

/// Arithmetic in registers: what the machine gives a second thread at this moment.
func arithmetic() -> Row {
  Row(name: "arithmetic", count: 200_000) { _ in
    let sum = Sum()
    return { number in
      var x = UInt(number) | 1
      for _ in 0..<20 {
        x ^= x << 13
        x ^= x >> 7
        x ^= x << 17
      }
      sum.value &+= Int(truncatingIfNeeded: x)
    }
  }
}

func table() {
  print(
    "row".padding(toLength: 44, withPad: " ", startingAt: 0),
    "  today    two      x    marks    two      x   marks/today, two")
  let machine = measure(arithmetic(), passes: 9)
  print("arithmetic".padding(toLength: 44, withPad: " ", startingAt: 0), text(2 * machine.one / machine.two, 22, 2))
  for (today, marks) in zip(rows(Today.self), rows(Marks.self)) {
    let (a, b) = (measure(today, passes: 9), measure(marks, passes: 9))
    print(
      today.name.padding(toLength: 44, withPad: " ", startingAt: 0), text(a.one, 7), text(a.two, 7),
      text(2 * a.one / a.two, 6, 2), " ", text(b.one, 7), text(b.two, 7), text(2 * b.one / b.two, 6, 2), "  ",
      text(b.one / a.one, 5, 2), text(b.two / a.two, 5, 2))
    fflush(nil)
  }
}

/// An object of a server: its input, and a chain of six values over it and something that all share.
actor Session<E: Engine> {
  let input = E.source(0)
  let output: E.D
  private var sum = 0
  init(over other: @escaping @Sendable () -> Int) {
    let input = input
    var last = E.derived { E.get(input) &+ other() }
    for _ in 0..<5 {
      let below = last
      last = E.derived { E.get(below) &+ 1 }
    }
    output = last
  }
  func work(_ count: Int) {
    for number in 0..<count {
      E.set(input, E.get(input) &+ number &+ 1)
      sum &+= E.get(output)
    }
  }
}
/// The nanoseconds of a set with its pull, by the given number of tasks over 64 sessions.
func turns<E: Engine>(_: E.Type, _ sessions: [Session<E>], tasks: Int, _ turn: @escaping @Sendable (Int) -> Void) async
  -> Double
{
  let clock = ContinuousClock()
  let began = clock.now
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<tasks {
      group.addTask {
        for number in 0..<600 {
          await sessions[(number &* 7 &+ task &* 31) % sessions.count].work(50)
          turn(number)
        }
      }
    }
  }
  let (seconds, attoseconds) = (clock.now - began).components
  return (Double(seconds) + Double(attoseconds) / 1e18) / 30_000 * 1e9
}
func sessions<E: Engine>(_: E.Type, _ name: String) async {
  let shared = E.source(7)
  let limits = E.derived { E.get(shared) &* 3 }
  let kinds: [(String, @Sendable () -> Int, @Sendable (Int) -> Void)] = [
    ("nothing", { 1 }, { _ in }), ("a source", { E.get(shared) }, { _ in }),
    ("a derived value", { E.get(limits) }, { _ in }),
    ("a source, written each 64th turn", { E.get(shared) }, { if $0 % 64 == 0 { E.set(shared, $0) } }),
  ]
  for (kind, other, turn) in kinds {
    let all = (0..<64).map { _ in Session<E>(over: other) }
    var (one, two) = (Double.infinity, Double.infinity)
    for _ in 0..<7 {
      one = min(one, await turns(E.self, all, tasks: 1, turn))
      two = min(two, await turns(E.self, all, tasks: 2, turn))
    }
    print("sessions over \(kind), \(name):", text(one, 1), "->", text(two, 1), "ns, x", text(2 * one / two, 1, 2))
    fflush(nil)
  }
}
