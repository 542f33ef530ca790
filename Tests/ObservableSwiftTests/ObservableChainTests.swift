// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableChainTests {
  final class Person {
    let first: String
    var last: Observable<String>
    var friend: Observable<Person?> = Observable(nil)
    init(_ first: String, _ last: String) {
      self.first = first
      self.last = Observable(last)
    }
  }
  struct Box { var number = Observable(0) }

  @Test func `it hears its first target`() {
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    me.friend <- john
    var heard: [String] = []
    chain(me.friend).to { $0?.last }.afterChange += { (old, new) in heard.append("\(old ?? "-")→\(new ?? "-")") }
    john.last <- "Stark"
    #expect(heard == ["Doe→Stark"])
  }

  @Test func `it follows the base to another target, to none, and leaves the old one`() {
    let (me, john, ramsay) = (Person("Me", "Snow"), Person("John", "Doe"), Person("Ramsay", "Snow"))
    var heard: [String] = []
    let name = chain(me.friend).to { $0?.last }
    name.afterChange += { (old, new) in heard.append("\(old ?? "-")→\(new ?? "-")") }
    #expect(name.value == nil)
    me.friend <- john
    john.last <- "Stark"
    #expect(name.value == "Stark")
    me.friend <- ramsay
    john.last <- "Unheard"
    ramsay.last <- "Bolton"
    me.friend <- nil
    ramsay.last <- "Unheard"
    #expect(name.value == nil)
    #expect(heard == ["-→Doe", "Doe→Stark", "Stark→Snow", "Snow→Bolton", "Bolton→-"])
    #expect(john.last.afterChange.event.subscriptions.isEmpty)
    #expect(ramsay.last.beforeChange.event.subscriptions.isEmpty)
  }

  @Test func `chains of chains hear every link, by to and by the operator`() {
    let (me, john, ramsay) = (Person("Me", "Snow"), Person("John", "Doe"), Person("Ramsay", "Snow"))
    var (byTo, byOperator, labelled): ([String], [String], [String]) = ([], [], [])
    let path = { (person: Person?) in person?.last }
    chain(me.friend).to { $0?.friend }.to { $0?.last }.afterChange += { byTo.append($1 ?? "-") }
    (me.friend / { $0?.friend } / { $0?.last }).afterChange += { byOperator.append($1 ?? "-") }
    chain(me.friend).to { $0?.friend }.to(path: path).afterChange += { labelled.append($1 ?? "-") }
    me.friend <- john
    john.friend <- ramsay
    ramsay.last <- "Bolton"
    john.last <- "Unheard"
    john.friend <- me
    me.friend <- nil
    #expect(byTo == ["-", "Snow", "Bolton", "Snow", "-"])
    #expect(byOperator == byTo && labelled == byTo)
  }

  @Test func `a change through a struct is told once, before and after, with the values`() {
    var box = Observable(Box())
    var heard: [String] = []
    let number = chain(box).to { $0.number }
    number.beforeChange += { (old, new) in heard.append("before \(old ?? -1)→\(new ?? -1)") }
    number.afterChange += { (old, new) in heard.append("after \(old ?? -1)→\(new ?? -1)") }
    box.value.number <- 1
    #expect(heard == ["before 0→1", "after 0→1"])
    box.value.number.value += 5
    #expect(heard.suffix(2) == ["before 1→6", "after 1→6"])
    box <- Box()
    #expect(heard.suffix(2) == ["before 6→0", "after 6→0"])
    box.value.number <- 2
    #expect(heard.suffix(2) == ["before 0→2", "after 0→2"])
    #expect(heard.count == 8)
    #expect(number.value == 2)
  }

  @Test func `and through structs in structs`() {
    struct Outer { var box = Observable(Box()) }
    var outer = Observable(Outer())
    var heard: [String] = []
    chain(outer).to { $0.box }.to { $0.number }.afterChange += { (old, new) in heard.append("\(old!)→\(new!)") }
    outer.value.box.value.number <- 1
    outer.value.box <- Box()
    outer <- Outer()
    outer.value.box.value.number <- 2
    #expect(heard == ["0→1", "1→0", "0→0", "0→2"])
  }

  @Test func `a struct that is changed apart and then written back was told when it was changed`() {
    var box = Observable(Box())
    var heard: [String] = []
    let number = chain(box).to { $0.number }
    number.afterChange += { (old, new) in heard.append("\(old!)→\(new!)") }
    var copy = box.value
    copy.number <- 5
    #expect(heard == ["0→5"])
    box.value = copy
    #expect(heard == ["0→5"])

    var (one, two) = (box.value, box.value)
    one.number <- 6
    two.number <- 7
    box.value = one
    #expect(number.value == 6)
    #expect(heard == ["0→5", "5→6", "5→7", "7→6"])
  }

  @Test func `a change of the base that leaves the target as it was is told, as equal values are`() {
    struct Named {
      var name = ""
      var number = Observable(3)
    }
    var named = Observable(Named())
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    var heard: [String] = []
    chain(named).to { $0.number }.afterChange += { (old, new) in heard.append("\(old!)→\(new!)") }
    chain(me.friend).to { $0?.last }.afterChange += { (old, new) in heard.append("\(old ?? "-")→\(new ?? "-")") }
    named.value.name = "other"
    me.friend <- john
    john.last <- "Stark"
    me.friend <- john
    #expect(heard == ["3→3", "-→Doe", "Doe→Stark", "Stark→Stark"])
    john.last <- "Snow"
    named.value.number <- 4
    #expect(heard.suffix(2) == ["Stark→Snow", "3→4"])
    #expect(heard.count == 6)
  }

  @Test func `a chain keeps its place among the handlers of a target that stays`() {
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    me.friend <- john
    var heard: [String] = []
    chain(me.friend).to { $0?.last }.afterChange += { heard.append("chain") }
    john.last += { heard.append("later") }
    me.friend <- john
    john.last <- "Stark"
    #expect(heard == ["chain", "chain", "later"])
  }

  @Test func `unsharing what it leads to leaves it one ear`() {
    var box = Observable(Box())
    var heard: [Int?] = []
    chain(box).to { $0.number }.afterChange += { (_: Int?, new: Int?) in heard.append(new) }
    box.value.number.unshare(removeSubscriptions: false)
    heard = []
    box.value.number <- 1
    #expect(heard == [1])
  }

  @Test func `a handler may send the chain elsewhere while its target is being set`() {
    let (me, john, ramsay) = (Person("Me", "Snow"), Person("John", "Doe"), Person("Ramsay", "Snow"))
    me.friend <- ramsay
    ramsay.last.afterChange += { _ in me.friend <- john }
    let name = chain(me.friend).to { $0?.last }
    var heard: [String] = []
    name.beforeChange += { (_, _) in }
    name.afterChange += { heard.append("\($1 ?? "-")") }
    ramsay.last <- "Bolton"
    #expect(name.value == "Doe")
    #expect(heard == ["Doe"])
    john.last <- "Stark"
    #expect(heard == ["Doe", "Stark"])
  }

  @Test func `its value is that of the changes it heard, also when it is chained later`() {
    var box = Observable(Box())
    let link = chain(box)
    box.value.number <- 3
    box <- Box(number: Observable(4))
    let number = link.to { $0.number }
    #expect(number.value == 4)
    box.value.number <- 5
    #expect(number.value == 5)
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    #expect((me.friend / { $0?.last }).value == nil)
    me.friend <- john
    #expect((me.friend / { $0?.last })^ == "Doe")
  }

  @Test func `a handler of a chain of references may read, set, add and remove`() {
    final class Node { let next = ObservableReference<Int>(0) }
    let root = ObservableReference(Node())
    let number = root / { $0.next }
    var heard: [String] = []
    number += { (old, new) in
      heard.append("\(old!)→\(new!) \(number^ == new)")
      if new == 1 {
        root^.next <- 2
        number += { heard.append("added \($0!)") }
      }
      if new == 2 { root <- Node() }
    }
    root^.next <- 1
    #expect(heard == ["0→1 true", "1→2 true", "added 2", "2→0 true", "added 0"])
    number.afterChange.removeAll()
  }

  @Test func `a chain made by a path is kept while it is the target`() {
    let (a, b) = (ObservableReference(1), ObservableReference(2))
    let which = ObservableReference(true)
    let sum = which / { $0 ? a & b : b & a }
    var heard: [String] = []
    sum += { (_: (Int, Int)?, new: (Int, Int)?) in heard.append("\(new!)") }
    a <- 3
    which <- false
    b <- 4
    #expect(heard == ["(3, 2)", "(2, 3)", "(4, 3)"])
  }

  @Test func `a chain tells what a transformation gives`() {
    var x = Observable(1)
    let text = x / { Observable("\($0)!") }
    var heard: [String] = []
    text.afterChange += { (old, new) in heard.append("\(old!)→\(new!)") }
    x <- 2
    x <- 3
    #expect(heard == ["1!→2!", "2!→3!"] && text^ == "3!")
  }

  @Test func `a proxy and a pair of a chain keep it, and let it go`() {
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

  // MARK: Lifetime

  private typealias Number = ObservableChainingProxy<Observable<Box>, Observable<Int>>

  @Test func `it lives exactly as long as a subscription to it`() {
    var box = Observable(Box())
    var heard = 0
    weak var number: Number?
    weak var event: EventReference<ValueChange<Int?>>?
    let subscription: EventSubscription<ValueChange<Int?>>
    do {
      let held = chain(box).to { $0.number }
      subscription = held.afterChange += { (_: Int?, _: Int?) in heard += 1 }
      (number, event) = (held, held.afterChange)
    }
    #expect(number != nil && event != nil)
    box.value.number <- 1
    #expect(heard == 1)
    event! -= subscription
    #expect(number == nil && event == nil)
    box.value.number <- 2
    box <- Box()
    #expect(heard == 1)
    #expect(box.afterChange.event.subscriptions.isEmpty && box.beforeChange.event.subscriptions.isEmpty)
    #expect(box.value.number.afterChange.event.subscriptions.isEmpty)
  }

  @Test func `without a subscription it lives as long as it is kept, and leaves nothing behind`() {
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
    var heard = 0
    weak var number: Number?
    do {
      let held = chain(box).to { $0.number }
      number = held
      let event = held.afterChange
      let subscription = event.add(event.add { (_: ValueChange<Int?>) in heard += 1 })
      event -= subscription
    }
    #expect(number != nil)
    box.value.number <- 1
    #expect(heard == 1)
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

  @Test func `an owner that has gone ends it at the next change`() {
    var box = Observable(Box())
    var heard = 0
    weak var number: Number?
    do {
      let owner = Witness()
      let held = chain(box).to { $0.number }
      number = held
      held.afterChange.add(owner: owner) { _ in heard += 1 }
      box.value.number <- 1
      withExtendedLifetime(owner) {}
    }
    box.value.number <- 2
    #expect(heard == 1)
    #expect(number == nil)
  }

  @Test func `when base and target have gone, it ends with all that its handlers captured`() {
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
    var heard: [String?] = []
    (Observable(john) / { $0.last }).afterChange += { (_: String?, new: String?) in heard.append(new) }
    john.last <- "Stark"
    #expect(heard == ["Stark"])
  }
}
