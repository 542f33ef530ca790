// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableChainLifetimeTests {
  private typealias Number = ObservableChainingProxy<Observable<Box>, Observable<Int>>

  @Test func `a proxy and a pair of a chain keep it, and release it`() {
    let (base, other) = (ObservableReference(Box()), ObservableReference(1))
    weak var number: ObservableChainingProxy<ObservableReference<Box>, Observable<Int>>?
    do {
      let stand: ObservableProxy<Int?, ObservableChainingProxy<ObservableReference<Box>, Observable<Int>>>
      let both:
        PairObservable<
          ObservableReference<Int>, ObservableChainingProxy<ObservableReference<Box>, Observable<Int>>
        >
      do {
        let held = base / { $0.number }
        (number, stand, both) = (held, proxy(held), other & held)
      }
      base.value.number <- 2
      #expect(stand^ == 2 && both^ == (1, 2))
      #expect(number != nil)
    }
    #expect(number == nil)
  }

  @Test func `it lives exactly as long as a subscription to it`() {
    var box = Observable(Box())
    var received = 0
    weak var number: Number?
    weak var event: EventReference<ValueChange<Int?>>?
    let subscription: EventSubscription<ValueChange<Int?>>
    do {
      let held = chain(box).to { $0.number }
      subscription = held.afterChange += { (_: Int?, _: Int?) in received += 1 }
      (number, event) = (held, held.afterChange)
    }
    #expect(number != nil && event != nil)
    box.value.number <- 1
    #expect(received == 1)
    event! -= subscription
    #expect(number == nil && event == nil)
    box.value.number <- 2
    box <- Box()
    #expect(received == 1)
    #expect(box.afterChange.event.subscriptions.isEmpty && box.beforeChange.event.subscriptions.isEmpty)
    #expect(box.value.number.afterChange.event.subscriptions.isEmpty)
  }

  @Test func `without a subscription it lives as long as it is kept, and leave nothing`() {
    let box = Observable(Box())
    weak var number: Number?
    do {
      let held = chain(box).to { $0.number }
      number = held
      _ = held.beforeChange
    }
    #expect(number == nil)
    #expect(box.afterChange.event.subscriptions.isEmpty)
    #expect(box.value.number.afterChange.event.subscriptions.isEmpty)
  }

  @Test func `it survives a subscription that was added twice and removed once, and ends with the second`() {
    var box = Observable(Box())
    var received = 0
    weak var number: Number?
    do {
      let held = chain(box).to { $0.number }
      number = held
      let event = held.afterChange
      let subscription = event.add(event.add { (_: ValueChange<Int?>) in received += 1 })
      event -= subscription
    }
    #expect(number != nil)
    box.value.number <- 1
    #expect(received == 1)
    number?.afterChange.removeAll()
    #expect(number == nil)
  }

  @Test func `invalidating the subscription ends it, and so does removing its owner`() {
    let box = Observable(Box())
    weak var (one, two): (Number?, Number?)
    let owner = Witness()
    let subscription: EventSubscription<ValueChange<Int?>>
    do {
      let (a, b) = (chain(box).to { $0.number }, chain(box).to { $0.number })
      (one, two) = (a, b)
      subscription = a.beforeChange.add { _ in }
      b.afterChange.add(owner: owner) { _ in }
    }
    #expect(one != nil && two != nil)
    subscription.invalidate()
    #expect(one == nil)
    two?.afterChange.remove(owner: owner)
    #expect(two == nil)
  }

  @Test func `a deinitialized owner ends it at the next change`() {
    var box = Observable(Box())
    var received = 0
    weak var number: Number?
    do {
      let owner = Witness()
      let held = chain(box).to { $0.number }
      number = held
      held.afterChange.add(owner: owner) { _ in received += 1 }
      box.value.number <- 1
      withExtendedLifetime(owner) {}
    }
    box.value.number <- 2
    #expect(received == 1)
    #expect(number == nil)
  }

  @Test func `when base and target are deinitialized, it ends with all that its handlers captured`() {
    var ended: [String] = []
    let john = Person("John", "Doe")
    do {
      var box: Observable<Box>? = Observable(Box())
      let captured = Witness { ended.append("struct") }
      chain(box!).to { $0.number }.afterChange += { (_: Int?, _: Int?) in captured.see() }
      chain(box!).to { $0.number }.to { _ in Observable(1) }.afterChange += { (_: Int?, _: Int?) in captured.see() }
      box?.value.number <- 1
      box = nil
    }
    #expect(ended == ["struct"])
    do {
      let reference = ObservableReference(john)
      let captured = Witness { ended.append("reference") }
      (reference / { $0.last }).afterChange += { (_: String?, _: String?) in captured.see() }
    }
    #expect(ended == ["struct"])  // the target lives, and can still change
    john.last = Observable("")
    #expect(ended == ["struct", "reference"])
  }

  @Test func `what is left of its base does not matter while the target lives`() {
    let john = Person("John", "Doe")
    var received: [String?] = []
    (Observable(john) / { $0.last }).afterChange += { (_: String?, new: String?) in received.append(new) }
    john.last <- "Stark"
    #expect(received == ["Stark"])
  }
}
