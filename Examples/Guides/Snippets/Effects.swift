// The code that the guides and the documentation comments show of effects, of values made of values, and of properties that are
// set.
import Tidings

@MainActor final class Line {
  var text = ""
}
@MainActor func effects(_ label: Line) {
  let (quantity, price) = (Observed(2), Observed(8.0))
  let showing = effect { label.text = "\(quantity.value) × \(price.value)" }
  transaction {
    quantity.set(3)
    price.set(9)
  }  // one run
  print(label.text)
  showing.cancel()
  let total = Observed(0.0)
  let following = combine(quantity, price).observe(.initial) { change in
    total.set(Double(change.new.0) * change.new.1)
  }
  following.cancel()
}

func made() {
  let price = Observed(100.0)
  let label = price.map { "\($0) €" }  // Derived<String>
  print(label.value)
  let rises = price.changes.filter { $0.new > $0.old! }
  let rising = rises.observe { print("+", $0.new - $0.old!) }
  price.set(101.5)
  rising.cancel()
}

@MainActor final class Slider {
  var position = 0.0
}
@MainActor final class Mixer {
  @MainObserved var volume = 0.5
  @MainObserved(changes: .distinct) var isMuted = false
  func mute() { (volume, isMuted) = (0, true) }
}
@MainActor func properties(_ slider: Slider) {
  let mixer = Mixer()
  let showing = mixer.$volume.observe(.initial) { change in slider.position = change.new }
  mixer.volume += 0.1
  print(slider.position)
  showing.cancel()
}

enum Shared {
  @MainActor final class Mixer {
    @MainObserved var volume: Double
    @MainObserved var isMuted = false
    var changes: PropertyChanges<Mixer>?
    init(shared: Observed<Double>) {
      _volume = MainObserved(projectedValue: shared)
      changes = PropertyChanges(.init(main: \.$volume, $volume), .init(main: \.$isMuted, $isMuted))
    }
  }
}

enum Coded {
  struct Settings: Codable {
    let volume: Observed<Double>
  }
}

func descriptions() {
  let price = Observed(101.5, label: "price")
  let (quantity, each) = (Observed(2), Observed(8.0))
  let total = Derived("total") { Double(quantity.value) * each.value }
  let subscriptions = [price.observe { _ in }, price.observe { _ in }, total.observe { _ in }]
  print(price)  // Observed 'price': 101.5, 2 subscriptions
  print(total)  // Derived 'total': 16.0, 1 subscription
  for subscription in subscriptions { subscription.cancel() }
}

effects(Line())
made()
properties(Slider())
descriptions()
print(Shared.Mixer(shared: Observed(1)).volume, Coded.Settings(volume: Observed(1)).volume.value)
