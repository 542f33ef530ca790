import Observation
import Testing
import Tidings
import TidingsObservation
import TidingsTesting

@Suite("Values as Observation sees them")
struct ObservableValueTests {
  /// Reads the value, and records the one that it has when the next change is noticed.
  @discardableResult private func track(_ value: ObservableValue<Int>, into seen: Recorder<Int>) -> Int {
    withObservationTracking {
      value.value
    } onChange: {
      seen(value.value)
    }
  }

  @Test("Code that tracks a reading is notified of the next change, and can read it then")
  func tracking() {
    let (price, seen) = (Observed(1), Recorder<Int>())
    let value = ObservableValue(price)
    #expect(track(value, into: seen) == 1)
    price.set(2)
    price.set(3)
    #expect(seen.values == [2], "one notice for each tracking")
  }

  @Test("Derived values and transactions notify once a change")
  func derived() {
    let (quantity, price, seen) = (Observed(1), Observed(1), Recorder<Int>())
    let total = ObservableValue(Derived { quantity.value * price.value })
    track(total, into: seen)
    transaction {
      quantity.set(3)
      price.set(3)
    }
    #expect(seen.values == [9])
  }

  @Test("It keeps its source, and the source does not keep it")
  func lifetime() {
    var price: Observed<Int>? = Observed(1)
    weak let source = price
    var value: ObservableValue<Int>? = ObservableValue(price!)
    weak let face = value
    price?.set(2)
    #expect(price?.diagnostics.count == 1)
    price = nil
    #expect(source != nil)
    #expect(value?.value == 2)
    value = nil
    #expect(face == nil)
    #expect(source == nil)
  }

  @Test("Made on an actor, it is removed from its source when it is deinitialized, and keeps no actor")
  func lifetimeOnAnActor() async {
    let price = Observed(1)
    var home: Home? = Home()
    weak let released = home
    await home?.show(price)
    #expect(price.diagnostics.count == 1)
    home = nil
    #expect(released == nil)
    #expect(price.diagnostics.count == 0)
  }

  @Test("On its actor a change is noticed before `set` returns")
  @MainActor func inPlace() {
    let (price, seen) = (Observed(1), Recorder<Int>())
    let value = ObservableValue(price)
    track(value, into: seen)
    price.set(2)
    #expect(seen.values == [2])
  }

  @Test("Code that reads and tracks on its actor misses no last value, also if several threads write")
  @MainActor func lastValue() async {
    for _ in 0..<100 {
      let (price, last) = (Observed(0), 20)
      let shown = Shown(ObservableValue(price))
      shown.look()
      let writing = Task.detached { for value in 1...last { price.set(value) } }
      let seen = await shown.seen.value(where: { $0 == last })
      #expect(seen)
      await writing.value
    }
  }

  @Test("`Observations` on its actor ends on the last value")
  @MainActor func observations() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    for _ in 0..<50 {
      let (price, last) = (Observed(0), 20)
      let value = ObservableValue(price)
      let writing = Task.detached { for number in 1...last { price.set(number) } }
      var seen: [Int] = []
      for await number in Observations({ value.value }) {
        seen.append(number)
        if number == last { break }
      }
      #expect(seen.last == last)
      #expect(seen == seen.sorted())
      await writing.value
    }
  }
}

private actor Home {
  private var value: ObservableValue<Int>?
  func show(_ price: Observed<Int>) { value = ObservableValue(price) }
}

/// Shows a value as SwiftUI does: reads it, and again some time after it was notified.
@MainActor private final class Shown {
  let seen = Recorder<Int>()
  private let value: ObservableValue<Int>
  init(_ value: ObservableValue<Int>) { self.value = value }

  func look() {
    let read = withObservationTracking {
      value.value
    } onChange: {
      Task { @MainActor [weak self] in self?.look() }
    }
    seen(read)
  }
}

extension Recorder where Value == Int {
  /// Whether such a value comes; waits for it.
  fileprivate func value(where isWanted: @Sendable (Int) -> Bool) async -> Bool {
    var count = 0
    while !Task.isCancelled {
      let values = await values(atLeast: count + 1)
      if values.contains(where: isWanted) { return true }
      count = values.count
    }
    return false
  }
}
