// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftReferenceTests {
  @Test func `a handler may read, set, add, remove and notify; changes make one chain for every handler`() {
    let x = ObservableReference(0)
    var (first, second): ([String], [String]) = ([], [])
    var removed: EventSubscription<ValueChange<Int>>?
    x += { (old, new) in
      first.append("\(old)→\(new), is \(x^)")
      guard new < 3 else { return }
      if new == 1 { x += { second.append("added \($0)") } }
      if let removed { x -= removed }
      x <- new + 1
      first.append("set to \(x^)")
    }
    x += { (old, new) in second.append("\(old)→\(new)") }
    removed = x += { second.append("removed \($0)") }
    x <- 1
    #expect(x.value == 3)
    #expect(
      first == ["0→1, is 1", "set to 2", "1→2, is 2", "set to 3", "2→3, is 3"])
    #expect(second == ["0→1", "1→2", "added 2", "2→3", "added 3"])
    x.afterChange.removeAll()
  }

  @Test
  func `a handler notified before may set, too: what is notified after is an unbroken chain that ends in the value`() {
    let x = ObservableReference(0)
    var (before, after): ([String], [String]) = ([], [])
    x.beforeChange += { (old, new) in
      before.append("\(old)→\(new) at \(x^)")
      if new == 1 { x <- 7 }
    }
    x.afterChange += { (old, new) in after.append("\(old)→\(new)") }
    x <- 1
    #expect(before == ["0→1 at 0", "0→7 at 0"])
    #expect(after == ["0→7", "7→1"])
    #expect(x.value == 1)
    x.beforeChange.removeAll()
  }

  @Test func `what an old value deinitialises may read the reference`() {
    var read: [Bool] = []
    var x: ObservableReference<Witness?>?
    x = ObservableReference(nil)
    x?.value = Witness { [unowned x = x!] in read.append(x.value == nil) }
    x?.value = nil
    #expect(read == [true])
  }

  @Test func `a proxy follows what shares the events: copies, not a new observable in the old one's place`() {
    var x = Observable(0)
    let stand = proxy(x)
    var received: [Int] = []
    stand += { received.append($0) }
    x <- 1
    var copy = x
    x = Observable(10)
    x <- 11
    copy <- 2
    #expect(received == [1, 2])
    #expect(stand^ == 2)
  }

  @Test func `a proxy notifies before and after, and has the value in between, as long as it is kept`() {
    var x = Observable(1)
    var received: [String] = []
    do {
      let stand = ObservableProxy(x)
      stand.beforeChange += { [unowned stand] (old, new) in received.append("before \(old)→\(new), \(stand^)") }
      stand.afterChange += { [unowned stand] (old, new) in received.append("after \(old)→\(new), \(stand^)") }
      x <- 2
      withExtendedLifetime(stand) {}
    }
    x <- 3
    #expect(received == ["before 1→2, 1", "after 1→2, 2"])
    #expect(x.afterChange.event.subscriptions.isEmpty)
    #expect(x.beforeChange.event.subscriptions.isEmpty)
  }

  @Test func `a handler of a proxy may set what it represents, and the proxy ends with the last value`() {
    let x = ObservableReference(0)
    x += { if $0 == 1 { x <- 2 } }
    let stand = proxy(x)
    var received: [String] = []
    stand += { (old, new) in
      received.append("\(old)→\(new)")
      if new == 2 {
        x <- 3
        stand += { received.append("added \($0)") }
      }
    }
    x <- 1
    #expect(received == ["0→1", "1→2", "2→3", "added 3"])
    #expect(stand^ == 3)
    x.afterChange.removeAll()
    stand.afterChange.removeAll()
  }

  @Test func `a proxy can be subclassed, with a value that can be set`() {
    final class Doubled: ObservableProxy<Int, ObservableReference<Int>>, WritableObservable {
      let source: ObservableReference<Int>
      init(of source: ObservableReference<Int>) {
        self.source = source
        super.init(source)
      }
      override var value: Int {
        get { super.value * 2 }
        set { source.value = newValue / 2 }
      }
    }
    let doubled = Doubled(of: ObservableReference(3))
    #expect(doubled^ == 6)
    doubled <- 10
    #expect(doubled^ == 10)
    #expect(doubled.source^ == 5)
  }
}

@Suite struct ObservableSwiftPairTests {
  @Test func `old and new value are those of both, before and after`() {
    var (first, last) = (Observable("John"), Observable("Smith"))
    let name = first & last
    var received: [String] = []
    name.beforeChange += { (change: ValueChange<(String, String)>) in
      received.append("before \(change.oldValue.0) \(change.newValue.1)")
    }
    name.afterChange += { (old, new) in received.append("\(old.0) \(old.1)→\(new.0) \(new.1)") }
    last <- "Snow"
    first <- "Ramsay"
    #expect(
      received == [
        "before John Snow", "John Smith→John Snow", "before John Snow", "John Snow→Ramsay Snow",
      ])
    #expect(name^ == ("Ramsay", "Snow"))
  }

  @Test func `pairs and proxies of pairs keep what they are made of`() {
    var (title, first, last) = (Observable("Mr."), Observable("John"), Observable("Smith"))
    let three = title & first & last
    var full = ""
    let join = { (title: String, first: String, last: String) in "\(title) \(first) \(last)" }
    three.afterChange += { full = join($0.0, $0.1, $1) }
    last <- "Snow"
    title <- "Lord"
    #expect(full == "Lord John Snow")
    #expect(three^.0.0 == "Lord")
    let stand = proxy(title & first)
    first <- "Jon"
    #expect(stand^ == ("Lord", "Jon"))
  }

  @Test func `a handler may read the pair and set either of two references`() {
    let (a, b) = (ObservableReference(0), ObservableReference(0))
    let pair = a & b
    var received: [String] = []
    pair += { (old, new) in
      received.append("\(old)→\(new) \(pair^ == new)")
      if new.0 == 1, new.1 == 0 { b <- 1 }
    }
    a <- 1
    #expect(received == ["(0, 0)→(1, 0) true", "(1, 0)→(1, 1) true"])
    pair.afterChange.removeAll()
  }

  @Test func `a pair lives as long as it is kept, and leaves no subscription`() {
    var (a, b) = (Observable(0), Observable(0))
    var received = 0
    do {
      let pair = a & b
      pair += { received += 1 }
      a <- 1
      withExtendedLifetime(pair) {}
    }
    b <- 1
    #expect(received == 1)
    #expect(a.afterChange.event.subscriptions.isEmpty && b.beforeChange.event.subscriptions.isEmpty)
  }
}
