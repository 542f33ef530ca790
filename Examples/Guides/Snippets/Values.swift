// The code that the guides and the documentation comments show of values, as one program.
import Tidings

// MARK: Observed values

func observed() {
  let price = Observed(100.0)
  let subscription = price.observe { change in print(change.old!, "→", change.new) }
  price.set(101.5)
  price.update { $0 += 1 }
  print(price.value)
  let dear = price.changes.map { $0.new }.filter { $0 > 200 }.observe { print("dear:", $0) }
  subscription.cancel()
  dear.cancel()
}

struct Place: Sendable {
  var x = 0.0
  func distance(to other: Place) -> Double { (x - other.x).magnitude }
}
func policies() {
  let home = Place()
  let volume = Observed(0.5, changes: .distinct)
  let place = Observed(home, changes: .by { $0.distance(to: $1) < 10 })
  let subscription = volume.observe { print("volume", $0.new) }
  volume.set(0.5)
  subscription.cancel()
  place.set(Place(x: 9))
  print(volume.value, place.value.x)
}

func collections(of batch: [Int], and reading: Int) {
  let readings = Observed<[Int]>([])
  readings.update { $0.append(contentsOf: batch) }  // one copy, and not one for each element
  readings.append(reading)
}

func appending() {
  let log = Observed<[String]>([])
  log.append("opened")
}

func updates() {
  let ranking = Observed(["Grace"])
  let rank = ranking.update { names in
    names.append("Ada")
    return names.count
  }
  print(rank, ranking.value)
}

@MainActor final class Label {
  var text = ""
}
@MainActor func initial(_ label: Label) {
  let price = Observed(100.0)
  var subscription: Subscription?
  subscription = price.observe(.initial) { change in label.text = "\(change.new)" }
  print(label.text)
  subscription = nil
  withExtendedLifetime(subscription) {}
}

@MainActor final class Undo {
  private(set) var values: [Double] = []
  func push(_ value: Double) { values.append(value) }
}
@MainActor func before(_ undo: Undo) {
  let price = Observed(100.0)
  let subscription = price.willChange.observe { change in undo.push(change.old!) }
  price.set(101)
  print(undo.values, subscription.isActive)
}

final class Thermometer: Sendable {
  private let measured = Observed(20.0)
  var temperature: ReadOnly<Double> { measured.readOnly }
  func measure(_ degrees: Double) { measured.set(degrees) }
}

@MainActor final class Player {
  @Observed(changes: .distinct) var volume = 0.5
  func mute() { $volume.set(0) }
}

final class View {
  func scale(_ factor: Double) { print("×", factor) }
}
func local(_ view: View) {
  let zoom = LocalObserved(1.0, changes: .distinct)
  let subscription = zoom.observe { change in view.scale(change.new) }
  zoom.value = 2
  zoom.value *= 1.5
  subscription.cancel()
}

final class Settings {
  @LocalObserved var zoom = 1.0
  @LocalObserved var recent: [String] = []
}
func wrapped(_ settings: Settings, _ view: View) {
  settings.$zoom.observe(with: view) { view, change in view.scale(change.new) }
  settings.zoom = 2
  settings.recent.append("map.txt")
}

// MARK: Derived values

struct SetupError: Error {}
struct Setup: Sendable, Equatable {}
@Sendable func parse(_ text: String) throws(SetupError) -> Setup {
  if text.isEmpty { throw SetupError() }
  return Setup()
}

func derived() {
  let quantity = Observed(2)
  let price = Observed(8.0)
  let total = Derived { Double(quantity.value) * price.value }
  print(total.value)
  let subscription = total.observe { change in print(change.new) }
  price.set(9)
  subscription.cancel()

  let currency = Observed("€")
  let receipt = Derived { "\(total.value) \(untracked { currency.value })" }
  print(receipt.value)

  let items = Observed([3, 1, 2])
  let isEmpty = Derived { items.value.isEmpty }
  let first = Derived { isEmpty.value ? nil : items.value[0] }
  let isDear = Derived { price.value > 100 }
  print(first.value ?? 0, isDear.value)

  let text = Observed("")
  let setup = Derived { () throws(SetupError) in try parse(text.value) }  // Derived<Result<Setup, SetupError>>
  print(setup.value)
}

final class Person: Sendable {
  let name: Observed<String>
  let partner = Observed<Person?>(nil)
  init(_ name: String) { self.name = Observed(name) }
}
final class Address: Sendable {
  let city = Observed("Turin")
}
final class Resident: Sendable {
  let address = Observed(Address())
}
func chains() {
  let selected = Observed<Person?>(Person("Ada"))
  let name = selected.chain { $0?.name }  // Derived<String?>
  let spouse = selected.chain { $0?.partner }.chain { $0?.name }  // Derived<String?>
  selected.value?.partner.set(Person("William"))
  print(name.value ?? "", spouse.value ?? "")

  let resident = Observed(Resident())
  withExtendedLifetime(resident) { person in
    let city = person.chain { $0.address }.chain { $0.city }  // Derived<String>
    let subscription = city.observe { change in print(change.new) }
    person.value.address.value.city.set("Milan")
    subscription.cancel()
  }
}

struct Profile: Sendable {
  var city = "Turin"
  var visits = 0
}
func members() {
  let profile = Observed(Profile())
  let subscription = profile.city.observe { change in print(change.new) }
  profile.update { $0.visits += 1 }
  profile.update { $0.city = "Rome" }
  subscription.cancel()
}

final class Map: Sendable {
  func center(on place: (Double, Double)) { print(place) }
}
func combined(_ map: Map) {
  let latitude = Observed(45.1)
  let longitude = Observed(7.7)
  let place = combine(latitude, longitude)  // Derived<(Double, Double)>
  let subscription = place.observe { change in map.center(on: change.new) }
  transaction {
    latitude.set(45.5)
    longitude.set(9.2)
  }
  subscription.cancel()
}

func ends() {
  var score: Observed<Int>? = Observed(0)
  let banner = score!.map { "\($0) points" }
  let showing = banner.observe { change in print(change.new) }
  score?.set(1)  // prints 1 points
  score = nil
  print(showing.isActive, banner.value)  // false 1 points
}

func longChains() {
  var last = Derived { 0 }
  for _ in 0..<5_000 {
    let before = last
    last = Derived { before.value + 1 }
    _ = last.value
  }
  print(last.value)
}

// MARK: Transactions

func transactions() throws {
  let quantity = Observed(1)
  let price = Observed(4)
  let total = Derived { quantity.value * price.value }
  let subscription = total.observe { change in print(change.new) }
  transaction {
    quantity.set(2)
    price.set(8)
  }

  let (source, setup) = (Observed("a"), Observed(Setup()))
  func load(_ text: String) throws(SetupError) {
    try transaction { () throws(SetupError) in
      source.set(text)
      setup.set(try parse(text))
    }
  }
  try load("b")
  do { try load("") } catch { print("rejected, still", source.value) }
  subscription.cancel()
}

// MARK: Property changes

@MainActor final class Film {
  nonisolated let title = Observed("Metropolis")
  nonisolated let minutes = Observed(153)
  nonisolated let changes: PropertyChanges<Film>
  init() { changes = PropertyChanges(.init(\.title, title), .init(\.minutes, minutes)) }
}

func redraw(_ name: String) { print("draw", name) }
enum Properties {
  final class Person: Sendable {
    let name = Observed("Ada")
    let age = Observed(36)
    let changes: PropertyChanges<Person>
    init() { changes = PropertyChanges(.init(\.name, name), .init(\.age, age)) }
  }

  @MainActor static func show(_ person: Person) {
    let subscription = person.changes.observe { change in
      if change.contains(\.name) { redraw(person.name.value) }
    }
    transaction {
      person.name.set("Grace")
      person.age.set(85)
    }  // one event, with both key paths
    subscription.cancel()
  }

  final class Song {
    @Observed var title = "Sonata"
    @Observed var seconds = 300
    lazy var changes = PropertyChanges<Song>(.init(\.$title, $title), .init(\.$seconds, $seconds))
  }
}

observed()
policies()
updates()
collections(of: [1, 2, 3], and: 4)
appending()
initial(Label())
before(Undo())
let thermometer = Thermometer()
thermometer.measure(21)
print(thermometer.temperature.value)
let player = Player()
player.mute()
print(player.volume)
local(View())
wrapped(Settings(), View())
derived()
chains()
members()
combined(Map())
longChains()
try transactions()
Properties.show(Properties.Person())
let song = Properties.Song()
let songs = song.changes.observe { print($0.keyPaths.count, "changed") }
song.$title.set("Fugue")
let film = Film()
let films = film.changes.observe { print($0.contains(\.minutes)) }
film.minutes.set(148)
