// The diagram of the page Time: what each operator has delivered when this program ran. A column is one second.
import Foundation
import Tidings
import TidingsState
import TidingsTesting
import TidingsTime

let script = ["a", "b", "c", ".", ".", ".", "d", "|", ".", ".", "."]

/// The values that a subscription to the result of an operator receives in each second. One that keeps all values waits as long as it
/// has some; of the others, each value is passed on, waits for its time, or has replaced one that waits.
func row(_ name: String, _ make: (Event<String>, ManualClock) -> AnyEventSource<String>) async -> [String] {
  let (typed, clock, received) = (Event<String>(), ManualClock(), Recorder<String>())
  let subscription = make(typed, clock).observe { received($0) }
  // A timeout waits from the beginning.
  await clock.sleepers(name.contains("timeout") ? 1 : 0)
  var (cells, emitted, count, isFinished, hasEnded) = ([String](), 0, 0, false, false)
  for (second, act) in script.enumerated() {
    var before = received.values.count
    func settle() async {
      for _ in 0..<1_000 where subscription.isActive && clock.sleeperCount == 0 {
        let number = received.values.count
        if name.contains("delayed") ? number == emitted && !isFinished : number > before { return }
        await Task.detached {}.value
      }
    }
    if second > 0 {
      let sleepers = clock.sleeperCount
      clock.advance(by: .seconds(1))
      if sleepers > 0 { await settle() }
    }
    before = received.values.count
    switch act {
    case ".": break
    case "|":
      typed.finish()
      isFinished = true
      for _ in 0..<1_000 where subscription.isActive && !name.contains("delayed") { await Task.detached {}.value }
    default:
      typed.emit(act)
      emitted += 1
      await settle()
    }
    var cell = received.values[count...].joined()
    count = received.values.count
    if !subscription.isActive, !hasEnded {
      cell += "|"
      hasEnded = true
    }
    cells.append(cell.isEmpty ? (hasEnded ? "" : ".") : cell)
  }
  return cells
}

let rows: [(String, (Event<String>, ManualClock) -> AnyEventSource<String>)] = [
  ("typed", { typed, _ in typed.map { $0 } }),
  ("typed.debounced(for: .seconds(2))", { typed, clock in typed.debounced(for: .seconds(2), clock: clock) }),
  ("typed.throttled(for: .seconds(2))", { typed, clock in typed.throttled(for: .seconds(2), clock: clock) }),
  (
    "typed.throttled(for: .seconds(2), latest: false)",
    { typed, clock in typed.throttled(for: .seconds(2), latest: false, clock: clock) }
  ),
  ("typed.delayed(for: .seconds(2))", { typed, clock in typed.delayed(for: .seconds(2), clock: clock) }),
  ("typed.sampled(every: .seconds(2))", { typed, clock in typed.sampled(every: .seconds(2), clock: clock) }),
  ("typed.timeout(after: .seconds(2))", { typed, clock in typed.timeout(after: .seconds(2), clock: clock) }),
]
let width = rows.map(\.0.count).max()!
for (name, make) in rows {
  let cells = await row(name, make).map {
    $0.padding(toLength: 3, withPad: " ", startingAt: 0)
  }.joined()
  let line = name.padding(toLength: width + 3, withPad: " ", startingAt: 0) + cells
  print(line.replacing(/\s+$/, with: ""))
}

// The other lines of the page.
struct API: Sendable {
  func search(_ text: String) async throws -> [String] { [text] }
}
@Sendable func search(_ text: String) {}
func show(_ price: Double) {}

func searching(_ typed: Event<String>) -> Subscription {
  let searches = typed.debounced(for: .milliseconds(300))
  let subscription = searches.observe { text in search(text) }
  return subscription
}
func testing(_ typed: Event<String>) async {
  let clock = ManualClock()
  let searches = typed.debounced(for: .seconds(1), clock: clock).record()
  typed.emit("swift")
  await clock.sleepers(1)
  clock.advance(by: .seconds(1))
  await typed.drained()
  print(searches.values)
}
func loading(_ query: Observed<String>, _ api: API) -> AsyncDerived<[String]> {
  let found = AsyncDerived(of: query, debounce: .milliseconds(300)) { text in try await api.search(text) }
  return found
}
func results(_ query: Observed<String>, _ api: API) -> AsyncDerived<[String]> {
  let results = AsyncDerived(of: query, debounce: .milliseconds(300)) { text in try await api.search(text) }
  return results
}
func streaming(_ price: Observed<Double>) async {
  for await price in price.throttled(for: .seconds(1)).stream() { show(price) }
}
func commented(
  _ price: Observed<Double>, _ query: Observed<String>, _ volume: Observed<Double>, _ ordered: Event<Int>,
  _ priced: Event<Double>, _ beats: Event<Int>, _ typed: Event<String>
) async {
  func show(_ beat: Int) {}
  do {
    let searches = query.debounced(for: .milliseconds(300))
    let shown = priced.throttled(for: .milliseconds(100))
    let reminders = ordered.delayed(for: .seconds(60))
    let samples = priced.sampled(every: .seconds(1))
    print(searches, shown, reminders, samples)
  }
  let shown = price.throttled(for: .milliseconds(100))
  let later = volume.delayed(for: .seconds(1))
  let samples = price.sampled(every: .seconds(1))
  print(shown, later, samples)
  for await beat in beats.timeout(after: .seconds(5)).stream() { show(beat) }
  print("no beat for five seconds")
}
