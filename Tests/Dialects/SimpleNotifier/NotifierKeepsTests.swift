import SimpleNotifier
import Testing

/// What the original does, and continues doing.
@Suite struct NotifierKeeps {
  @Test func `send has called every observer when it returns, in the order in which they were added`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    for name in ["a", "b", "c"] { notifier.observe { received.append("\(name)\($0)") } }
    notifier.send(1)
    #expect(received == ["a1", "b1", "c1"])
    notifier.send(2)
    #expect(received == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test func `the same closure added twice is called twice`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    let callback: Notifier<Int>.NotificationCallback = { received.append($0) }
    notifier.observe(callback)
    notifier.observe(callback)
    notifier.send(7)
    #expect(received == [7, 7])
  }

  @Test func `an observer whose token was dropped is called for as long as the notifier lives`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    do { _ = notifier.observe { received.append($0) } }
    for value in 1...3 { notifier.send(value) }
    #expect(received == [1, 2, 3])
  }

  @Test func `an observer receives nothing that was sent before it was added`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    notifier.send(1)
    notifier.observe { received.append($0) }
    #expect(received.isEmpty)
    notifier.send(2)
    #expect(received == [2])
  }

  @Test func `an observer that is added by an observer receives the next send, not the one that is in progress`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    notifier.observe { outer in
      received.append("first \(outer)")
      if outer == 1 { notifier.observe { received.append("added \($0)") } }
    }
    notifier.send(1)
    #expect(received == ["first 1"])
    notifier.send(2)
    #expect(received == ["first 1", "first 2", "added 2"])
  }

  @Test func `what an observer sends is delivered immediately, nested, also to one that it has just added`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    notifier.observe { value in
      received.append("first \(value)")
      guard value == 1 else { return }
      notifier.observe { received.append("added \($0)") }
      notifier.send(2)
      received.append("first is back")
    }
    notifier.observe { received.append("second \($0)") }
    notifier.send(1)
    #expect(received == ["first 1", "first 2", "second 2", "added 2", "first is back", "second 1"])
  }

  @Test func `the initial value is delivered to the new observer alone, immediately`() {
    let notifier = Notifier<Int>()
    var (old, new): ([Int], [Int]) = ([], [])
    notifier.observe { old.append($0) }
    notifier.observe({ new.append($0) }, withInitialValue: 0)
    #expect(old.isEmpty && new == [0])
    notifier.send(1)
    #expect(old == [1] && new == [0, 1])
  }

  @Test func `a callback is added before it is notified the initial value`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    notifier.observe(
      { value in
        received.append(value)
        if value == 0 { notifier.send(1) }
      }, withInitialValue: 0)
    #expect(received == [0, 1])
  }

  @Test func `an absent initial value notifies of nothing`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    let absent: Int? = nil
    let present: Int? = 5
    notifier.observe({ received.append($0) }, withInitialValue: nil)
    notifier.observe({ received.append($0) }, withInitialValue: absent)
    #expect(received.isEmpty)
    notifier.observe({ received.append($0) }, withInitialValue: present)
    #expect(received == [5])
    notifier.send(6)
    #expect(received == [5, 6, 6, 6])
  }

  @Test func `a notifier of nothing sends without an argument`() {
    let notifier = Notifier<Void>()
    var count = 0
    notifier.observe { count += 1 }
    notifier.send()
    notifier.send(())
    #expect(count == 2)
  }

  @Test func `values and closures need not be Sendable`() {
    final class Page { var visits = 0 }
    let notifier = Notifier<Page>()
    var last: Page?
    notifier.observe { page in
      page.visits += 1
      last = page
    }
    let page = Page()
    notifier.send(page)
    #expect(last === page && page.visits == 1)
  }

  @MainActor @Test func `an observer on the main actor uses the actor's state without a hop`() {
    final class Screen { var title = "" }
    let (screen, notifier) = (Screen(), Notifier<String>())
    notifier.observe { screen.title = $0 }
    notifier.send("Prices")
    #expect(screen.title == "Prices")
  }
}
