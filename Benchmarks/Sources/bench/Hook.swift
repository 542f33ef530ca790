import Harness
import Tidings

/// The cost of asking, compared with calling. The work is asynchronous and never waits, so it stays on one thread.
enum Hooks {
  static func rows() -> [Row] {
    [
      Row(
        RowName.ask, family: "hooks", floor: plainCall,
        [
          .inTask(plainCall) { _ in { count in await callPlain(count) } },
          .inTask(storedClosure) { tally in
            let stored = Stored { number in
              tally.add(number)
              return number
            }
            return { count in await call(stored, count) }
          },
          .inTask(first) { tally in asking(1, tally, askFirst) },
          .inTask("Hook.reduce, 1 handler") { tally in asking(1, tally, askReduce) },
          .inTask("Hook.all, 1 handler") { tally in asking(1, tally, askAll) },
          .inTask("Hook.reduce, 10 handlers") { tally in asking(10, tally, askReduce) },
          .inTask("Hook.all, 10 handlers") { tally in asking(10, tally, askAll) },
        ])
    ]
  }

  static let plainCall = "a plain async call"
  static let storedClosure = "a stored async closure"
  static let first = "Hook.first, 1 handler"

  private static func asking(
    _ handlers: Int, _ tally: Tally, _ ask: @escaping @Sendable (Hook<Int, Int, Never>, Int) async -> Void
  ) -> TaskWork {
    let (hook, tokens) = hook(handlers, tally)
    return { count in
      await ask(hook, count)
      withExtendedLifetime(tokens) {}
    }
  }

  private static func hook(_ handlers: Int, _ tally: Tally) -> (Hook<Int, Int, Never>, [Subscription]) {
    let hook = Hook<Int, Int, Never>()
    let tokens = (0..<handlers).map { _ in
      hook.handle { number in
        tally.add(number)
        return number
      }
    }
    return (hook, tokens)
  }

  // MARK: The loops, each in code of its own

  private static func callPlain(_ count: Int) async {
    var sum = 0
    for number in 0..<count { sum &+= await plain(number) }
    precondition(sum != -1)
  }
  private static func call(_ stored: Stored, _ count: Int) async {
    var sum = 0
    for number in 0..<count { sum &+= await stored.call(number) }
    precondition(sum != -1)
  }
  private static func askFirst(_ hook: Hook<Int, Int, Never>, _ count: Int) async {
    var sum = 0
    for number in 0..<count { sum &+= await hook.first(number) ?? 0 }
    precondition(sum != -1)
  }
  /// Does the work of `all` without its array.
  private static func askReduce(_ hook: Hook<Int, Int, Never>, _ count: Int) async {
    var sum = 0
    for number in 0..<count {
      sum &+= await hook.reduce(number, into: 0) { answers, _ in
        answers += 1
        return true
      }
    }
    precondition(sum != -1)
  }
  private static func askAll(_ hook: Hook<Int, Int, Never>, _ count: Int) async {
    var sum = 0
    for number in 0..<count { sum &+= await hook.all(number).count }
    precondition(sum != -1)
  }
}

/// The floor: what Swift takes for a call that could wait.
@inline(never) private func plain(_ number: Int) async -> Int { number &+ 1 }

private final class Stored: Sendable {
  let call: @isolated(any) @Sendable (Int) async -> Int
  @inline(never) init(_ call: @escaping @isolated(any) @Sendable (Int) async -> Int) { self.call = call }
}
