// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftChainTests {
  @Test func `it receives its first target`() {
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    me.friend <- john
    var received: [String] = []
    chain(me.friend).to { $0?.last }.afterChange += { (old, new) in received.append("\(old ?? "-")→\(new ?? "-")") }
    john.last <- "Stark"
    #expect(received == ["Doe→Stark"])
  }

  @Test func `it follows the base to another target, to none, and leaves the old one`() {
    let (me, john, ramsay) = (Person("Me", "Snow"), Person("John", "Doe"), Person("Ramsay", "Snow"))
    var received: [String] = []
    let name = chain(me.friend).to { $0?.last }
    name.afterChange += { (old, new) in received.append("\(old ?? "-")→\(new ?? "-")") }
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
    #expect(received == ["-→Doe", "Doe→Stark", "Stark→Snow", "Snow→Bolton", "Bolton→-"])
    #expect(john.last.afterChange.event.subscriptions.isEmpty)
    #expect(ramsay.last.beforeChange.event.subscriptions.isEmpty)
  }

  @Test func `chains of chains receive every link, by to and by the operator`() {
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

  @Test func `a chain keeps its place among the handlers of a target that stays`() {
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    me.friend <- john
    var received: [String] = []
    chain(me.friend).to { $0?.last }.afterChange += { received.append("chain") }
    john.last += { received.append("later") }
    me.friend <- john
    john.last <- "Stark"
    #expect(received == ["chain", "chain", "later"])
  }

  @Test func `a handler may send the chain elsewhere while its target is being set`() {
    let (me, john, ramsay) = (Person("Me", "Snow"), Person("John", "Doe"), Person("Ramsay", "Snow"))
    me.friend <- ramsay
    ramsay.last.afterChange += { _ in me.friend <- john }
    let name = chain(me.friend).to { $0?.last }
    var received: [String] = []
    name.beforeChange += { (_, _) in }
    name.afterChange += { received.append("\($1 ?? "-")") }
    ramsay.last <- "Bolton"
    #expect(name.value == "Doe")
    #expect(received == ["Doe"])
    john.last <- "Stark"
    #expect(received == ["Doe", "Stark"])
  }

  @Test func `a handler of a chain of references may read, set, add and remove`() {
    final class Node { let next = ObservableReference<Int>(0) }
    let root = ObservableReference(Node())
    let number = root / { $0.next }
    var received: [String] = []
    number += { (old, new) in
      received.append("\(old!)→\(new!) \(number^ == new)")
      if new == 1 {
        root^.next <- 2
        number += { received.append("added \($0!)") }
      }
      if new == 2 { root <- Node() }
    }
    root^.next <- 1
    #expect(received == ["0→1 true", "1→2 true", "added 2", "2→0 true", "added 0"])
    number.afterChange.removeAll()
  }

  @Test func `a chain made by a path is kept while it is the target`() {
    let (a, b) = (ObservableReference(1), ObservableReference(2))
    let which = ObservableReference(true)
    let sum = which / { $0 ? a & b : b & a }
    var received: [String] = []
    sum += { (_: (Int, Int)?, new: (Int, Int)?) in received.append("\(new!)") }
    a <- 3
    which <- false
    b <- 4
    #expect(received == ["(3, 2)", "(2, 3)", "(4, 3)"])
  }
}
