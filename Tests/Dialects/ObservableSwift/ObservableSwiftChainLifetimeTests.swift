// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftChainLifetimeTests {
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

  @Test func `it ends with its last subscription, however that ends`() {
    typealias Change = ValueChange<Int?>
    func ends(_ end: (EventReference<Change>, EventSubscription<Change>, inout Witness?) -> Void) -> Bool {
      var box = Observable(Box())
      var owner: Witness? = Witness()
      weak var number: Number?
      weak var event: EventReference<Change>?
      let subscription: EventSubscription<Change>
      do {
        let held = chain(box).to { $0.number }
        let before = held.beforeChange
        subscription = before.add(owner: owner!) { (_: Change) in }
        (number, event) = (held, before)
      }
      guard number != nil else { return false }
      if let event { end(event, subscription, &owner) }
      box.value.number <- 1
      return number == nil
    }
    #expect(ends { event, subscription, _ in event.remove(subscription) })
    #expect(ends { event, _, owner in event.remove(owner: owner!) })
    #expect(ends { event, _, _ in event.removeAll() })
    #expect(ends { _, subscription, _ in subscription.invalidate() })
    #expect(ends { _, _, owner in owner = nil })
    #expect(!ends { _, _, _ in })
  }

  @Test func `when base and target are deinitialized, it ends with all that its handlers captured`() {
    var ended: [String] = []
    let john = Person("John", "Doe")
    do {
      var box: Observable<Box>? = Observable(Box())
      let captured = Witness { ended.append("struct") }
      chain(box!).to { $0.number }.afterChange += { (_: Int?, _: Int?) in captured.touch() }
      chain(box!).to { $0.number }.to { _ in Observable(1) }.afterChange += { (_: Int?, _: Int?) in captured.touch() }
      box?.value.number <- 1
      box = nil
    }
    #expect(ended == ["struct"])
    do {
      let reference = ObservableReference(john)
      let captured = Witness { ended.append("reference") }
      (reference / { $0.last }).afterChange += { (_: String?, _: String?) in captured.touch() }
    }
    #expect(ended == ["struct"])  // the target lives, and can still change
    john.last = Observable("")
    #expect(ended == ["struct", "reference"])
  }
}
