// Mistakes that compile, each with what the library says of it while a debug build runs. `.ci/mistakes` runs each in a process of
// its own and compares: a comment with a number is all that the mistake after it prints, with `…` for any text. Where nothing is
// reported, because the library cannot know what was meant, the program prints what shows it. The file belongs to no target.
import Tidings

final class Owner: Sendable {}

/// Hands one handler on to two sources.
struct Both: EventSource {
  let one: Event<Int>
  let two: Event<Int>
  func attach(_ handler: EventHandler<Int>) -> Subscription {
    let first = one.attach(handler)
    defer { withExtendedLifetime(first) {} }
    return two.attach(handler)
  }
}

func run(_ number: Int) async {
  switch number {

  // Cycles

  // 1. Tidings: cycle: a value of 'celsius' was rejected: handlers that cause each other reached depth 51 (celsius → fahrenheit → celsius)
  case 1:
    let celsius = Event<Double>("celsius", maximumDepth: 50)
    let fahrenheit = Event<Double>("fahrenheit", maximumDepth: 50)
    let one = celsius.observe { fahrenheit.emit($0 * 9 / 5 + 32) }
    let other = fahrenheit.observe { celsius.emit(($0 - 32) * 5 / 9) }
    celsius.emit(20)
    keep(one, other)

  // 2. Tidings: cycle: a value of 'width' was rejected: handlers that cause each other reached depth 51 (width → height → width)
  case 2:
    let (width, height) = (Observed(1, label: "width", maximumDepth: 50), Observed(1, label: "height"))
    let one = width.observe { height.set($0.new + 1) }
    let other = height.observe { width.set($0.new + 1) }
    width.set(2)
    keep(one, other)

  // 3. Tidings: cycle: a value of 'pressed' was rejected: handlers that cause each other reached depth 201 (pressed → pressed)
  case 3:
    let pressed = LocalEvent<Int>("pressed", policy: .immediate)
    let token = pressed.observe { pressed.emit($0 + 1) }
    pressed.emit(1)
    withExtendedLifetime(token) {}

  // 4. Tidings: cycle: a question of 'may close' was rejected: handlers that cause each other reached depth 21 (may close → may close)
  case 4:
    let hook = Hook<Int, Bool, Never>("may close", maximumDepth: 20)
    let token = hook.handle { input in await hook.first(input) ?? true }
    _ = await hook.first(1)
    keep(token)

  // 5. Tidings: cycle: an update of 'count' was rejected: its closure causes the value to be written, each time it runs (count)
  case 5:
    let count = Observed(0, label: "count")
    count.update { value in
      count.set(7)
      value += 1
    }

  // Derived values

  // 6. Tidings: cycle: the derived value 'total' depends on itself, and keeps the value that it has (total → total)
  case 6:
    let (price, own) = (Observed(1), Observed<Derived<Int>?>(nil))
    let total = Derived("total") { price.value + (own.value?.value ?? 0) }
    _ = total.value
    own.set(total)
    _ = total.value

  // 7. … Fatal error: Tidings: cycle: 'total' has no value yet and needs its own to compute it (total → total)
  case 7:
    let own = Observed<Derived<Int>?>(nil)
    let total = Derived("total") { own.value?.value ?? 0 }
    own.set(total)
    _ = total.value

  // 8. … Fatal error: Tidings: the stack of this thread has no room to compute 'link': … derived values are being computed, each in the middle of the one that reads it (link → …). Read such a chain from its beginning, or on a thread with a larger stack
  case 8:
    var last = Derived("link") { 0 }
    for _ in 0..<1_000_000 {
      last = Derived("link") { [last] in last.value + 1 }
    }
    _ = last.value

  // 9. Tidings: write rejected: 'shown' was set by the closure of the derived value 'title', which may only read (title → shown)
  case 9:
    let shown = Observed("", label: "shown")
    let title = Derived("title") {
      shown.set("computed")
      return "title"
    }
    _ = title.value

  // 10. Tidings: write rejected: 'computed' was emitted by the closure of the derived value 'title', which may only read (title → computed)
  case 10:
    let computed = Event<String>("computed")
    let token = computed.observe { _ in }
    let title = Derived("title") {
      computed.emit("title")
      return "title"
    }
    _ = title.value
    keep(token)

  // 11. Tidings: write rejected: 'sum' was set by the effect 'adding': an effect may only read. To set or emit when values change, observe them: Derived { … }.observe(.initial) { … } (adding → adding → sum)
  case 11:
    let (price, sum) = (Observed(1), Observed(0, label: "sum"))
    let token = effect("adding") { sum.set(price.value) }
    keep(token)

  // The end of an event

  // 12. Tidings: emitted after finish: 'traded' is finished, so its values reach no handler
  case 12:
    let traded = Event<Int>("traded")
    traded.finish()
    traded.emit(1)
    traded.emit(2)

  // Waiting

  // 13. Tidings: wait rejected: a handler of '…' waits for its own event, and so for itself: use emit there
  case 13:
    let saved = Event<Int>("saved")
    let token = saved.observe { number async in if number == 1 { await saved.drained() } }
    await saved.emitAndWait(1)
    keep(token)

  // 14. Tidings: wait rejected: a handler of '…' waits for its own event, and so for itself: use emit there
  case 14:
    let saved = Event<Int>("saved")
    let token = saved.observe { number async in if number == 1 { await saved.emitAndWait(2) } }
    await saved.emitAndWait(1)
    await saved.drained()
    keep(token)

  // Arguments

  // 15. … Fatal error: maximumDepth must be at least 1: the depth of what no handler causes
  case 15: _ = Event<Int>("traded", maximumDepth: 0)

  // 16. … Precondition failed: a stream's buffer holds one value at least
  case 16: _ = Event<Int>("traded").stream(buffering: .newest(0))

  // 17. … Precondition failed: collect(_:) needs arrays of one value at least
  case 17: _ = Event<Int>("traded").collect(0)

  // 18. … Precondition failed: batches(upTo:) needs batches of one value at least
  case 18: _ = Event<Int>("traded").stream().batches(upTo: 0)

  // 19. … Fatal error: an EventHandler was attached twice: each attach needs a handler of its own; use merge to observe several sources
  case 19: keep(Both(one: Event(), two: Event()).once { _ in })

  // These are not reported: a subscription that has ended, and values that no handler receives

  // 20. Event<Int> 'traded' (0 subscriptions)
  case 20:
    let traded = Event<Int>("traded")
    _ = traded.observe { print("received \($0)") }
    traded.emit(1)
    print(traded)

  // 21. Subscription to 'traded' (ended)
  case 21:
    let traded = Event<Int>("traded")
    var owner: Owner? = Owner()
    let token = traded.observe(with: owner!) { _, value in print("received \(value)") }
    owner = nil
    traded.emit(1)
    print(token)

  // 22. Subscription to 'traded' (paused)
  case 22:
    let traded = Event<Int>("traded")
    let token = traded.observe { print("received \($0)") }
    token.pause()
    traded.emit(1)
    print(token)

  // 23. received by the first consumer: [1, 2, 3], by the second: []
  case 23:
    let traded = Event<Int>("traded")
    let stream = traded.stream()
    traded.emit(contentsOf: 1...3)
    traded.finish()
    var (first, second): ([Int], [Int]) = ([], [])
    for await value in stream { first.append(value) }
    for await value in stream { second.append(value) }
    print("received by the first consumer: \(first), by the second: \(second)")

  default: print("there is no mistake \(number)")
  }
}

@main struct Program {
  static func main() async { await run(Int(CommandLine.arguments.last ?? "") ?? 0) }
}

func keep(_ tokens: Subscription...) { withExtendedLifetime(tokens) {} }
