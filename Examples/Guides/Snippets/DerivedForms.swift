// The code that the guides and the documentation comments show of what a run begins, of other rules of comparing, and of the result
// before.
import Tidings

final class Connection: Sendable {
  init(to address: String) { print("connect", address) }
  func close() { print("close") }
}
final class Timer: Sendable {
  init(every seconds: Double) { print("every", seconds) }
  func stop() { print("stop") }
}
struct Room: Sendable {
  let name: String
  let count = Observed(0)
}

@MainActor func runs() {
  let address = Observed("a")
  let following = effect {
    let connection = Connection(to: address.value)
    onCleanup { connection.close() }
  }
  address.set("b")
  following.cancel()
  let interval = Observed(1.0)
  let ticking = effect {
    let timer = Timer(every: interval.value)
    onCleanup { timer.stop() }
  }
  ticking.cancel()
  let selected = Observed(Room(name: "hall"))
  let showing = effect {
    let room = selected.value
    _ = effect { print("\(room.name): \(room.count.value)") }  // runs for this room alone
  }
  showing.cancel()
}

struct Place: Sendable, Equatable {
  var x = 0.0
  func distance(to other: Place) -> Double { (x - other.x).magnitude }
}
struct Person: Sendable, Equatable {
  let number: Int
  var name = ""
  static func == (one: Person, other: Person) -> Bool { one.number == other.number }
}
func policies() {
  let (path, home, distance) = (Observed<[Place]>([]), Observed(Place()), Observed(0.0))
  let selected = Observed(Person(number: 1))
  do {
    let nearby = Derived(changes: .by { $0.distance(to: $1) < 10 }) { path.value.last ?? home.value }
    let person = Derived(changes: .every) { selected.value }  // a type whose `==` compares only the number
    print(nearby.value, person.value)
  }
  let nearby = Derived(changes: .by { abs($0 - $1) < 10 }) { distance.value }
  let score = Observed(3)
  let highest = Derived(previous: 0) { previous in max(previous, score.value) }
  print(nearby.value, highest.value)
}

struct Order: Sendable {}
func values() async {
  let (price, ordered) = (Observed(2_000.0), Event<Order>())
  let dear = await price.first { $0 > 1_000 }
  let quoted = ordered.withLatest(from: price)  // AnyEventSource<(Order, Double)>
  let subscription = quoted.observe { print("at", $0.1) }
  ordered.emit(Order())
  print(dear ?? 0)
  subscription.cancel()
}

runs()
policies()
await values()
