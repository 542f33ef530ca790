import Observation
import Testing
import Tidings
import TidingsObservation
import TidingsTesting

/// The code that the documentation shows.
@Suite("The Observation bridge, as its documentation shows it")
@MainActor struct ObservationDocumentationTests {
  @Test("A value in a model that a view reads")
  func observableValue() {
    let (shown, price) = (Recorder<Double>(), Observed(100.0))
    func show(_ price: Double) { shown(price) }
    let model = PriceModel(price)
    withObservationTracking {
      show(model.price.value)
    } onChange: {
      print("the price is about to be shown again")
    }
    price.set(101)
    #expect(model.price.value == 101)
    #expect(shown.values == [100])
  }

  @Test("A model that a derived value reads")
  func tracking() async {
    let (model, price) = (Person(), Observed(100.0))
    let name = Derived.tracking { model.name }
    let title = Derived { "\(name.value): \(price.value)" }
    let titles = title.record()
    model.name = "Grace"
    #expect(await titles.values(atLeast: 1).map(\.new) == ["Grace: 100.0"])
  }
}

@MainActor final class PriceModel {
  let price: ObservableValue<Double>
  init(_ price: Observed<Double>) { self.price = ObservableValue(price) }
}

@MainActor @Observable private final class Person {
  var name = "Ada"
}
