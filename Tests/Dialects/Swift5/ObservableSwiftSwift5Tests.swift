// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

// Code as it is in programs that are still in Swift 5 mode: globals, closures and classes that say nothing of isolation.

private var score = Observable(0)
private let level = ObservableReference(1)
private var started = Event<String>()

private class Person {
  let firstName: String
  var lastName: Observable<String>
  var friend: Observable<Person?> = Observable(nil)
  init(_ firstName: String, _ lastName: String) {
    self.firstName = firstName
    self.lastName = Observable(lastName)
  }
}

private class Game {
  var printed: [String] = []
  func watch() {
    score.afterChange.add(owner: self) { [unowned self] (old, new) in printed.append("\(old) -> \(new)") }
    level += { [weak self] in self?.printed.append("level \($0)") }
    started += { [weak self] in self?.printed.append($0) }
  }
}

@Suite(.serialized) struct ObservableSwiftSwift5Tests {
  @Test func `globals are observed, set and read`() {
    do {
      let game = Game()
      game.watch()
      score <- 42
      level <- level^ + 1
      started.notify("started")
      #expect(game.printed == ["0 -> 42", "level 2", "started"])
    }
    score ^= -1
    #expect(score^ + 22 == 21)
    #expect(score.afterChange.event.subscriptions.isEmpty)
  }

  @Test func `variables and mutations are observed, until the subscription is taken away`() {
    var printed: [String] = []
    var x = Observable(0)
    x.afterChange += { printed.append("Changed x from \($0) to \($1)") }
    x <- 42
    var pair = Observable((1, "one"))
    let subscription = pair += { printed.append("\($0.1) is now \($1.1)") }
    pair.value.1 = "uno"
    pair -= subscription
    pair.value.1 = "un"
    #expect(printed == ["Changed x from 0 to 42", "one is now uno"])
  }

  @Test func `chains, pairs, proxies and references`() {
    let (me, ann) = (Person("Me", "Low"), Person("Ann", "High"))
    var (name, length): (String?, Int?)
    chain(me.friend).to { $0?.lastName }.afterChange += { (_, newName) in name = newName }
    (me.friend / { $0?.friend } / { $0?.lastName }).afterChange += { length = $0.newValue?.count }
    me.friend <- ann
    ann.friend <- me
    ann.lastName <- "Higher"
    me.lastName <- "Lower"
    #expect(name == "Higher" && length == 5)

    var (first, last) = (Observable("John"), Observable("Smith"))
    let (either, stand) = (first & last, proxy(first))
    var full = ""
    either.afterChange += { full = "\($0 as String) \($1 as String)" }
    last <- "Snow"
    first <- "Jon"
    #expect(full == "Jon Snow" && stand^ == "Jon")
  }
}
