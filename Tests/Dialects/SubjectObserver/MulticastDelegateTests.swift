import Testing
import TidingsTesting

@testable import SubjectObserver

private protocol PlayerDelegate: AnyObject {
  var name: String { get }
  func didStart(_ track: Int)
}
private final class Screen: PlayerDelegate, Sendable {
  let name: String
  private let received: Recorder<String>
  private let canary: Canary?
  private let body: @Sendable (Screen) -> Void
  init(
    _ name: String, in received: Recorder<String>, canary: Canary? = nil,
    _ body: @escaping @Sendable (Screen) -> Void = { _ in }
  ) {
    (self.name, self.received, self.canary, self.body) = (name, received, canary, body)
  }
  func didStart(_ track: Int) {
    received("\(name)\(track)")
    body(self)
  }
}

@Suite("MulticastDelegate", .timeLimit(.minutes(20)))
struct MulticastDelegateTests {
  private let players = MulticastDelegate<any PlayerDelegate>()
  private let received = Recorder<String>()
  private func screen(_ name: String) -> Screen { Screen(name, in: received) }

  @Test("Delegates are called in the order of adding, one added twice twice; removing takes the first")
  func order() {
    let (a, b) = (screen("a"), screen("b"))
    for screen in [a, b, a] { players.add(screen) }
    players.invoke { $0.didStart(1) }
    players.remove(a)
    players.invoke { $0.didStart(2) }
    players.remove(a)
    players.remove(a)
    players.invoke { $0.didStart(3) }
    #expect(received.values == ["a1", "b1", "a1", "b2", "a2", "b3"])
  }

  @Test("The closure that is invoked need not escape")
  func nonEscaping() {
    let (a, b) = (screen("a"), screen("b"))
    players.add(a)
    players.add(b)
    var names: [String] = []
    players.invoke { names.append($0.name) }
    #expect(names == ["a", "b"])
  }

  @Test("Delegates are held weakly, and swept")
  func weakly() {
    let canaries = Canaries()
    do { players.add(Screen("destroyed", in: received, canary: canaries.make())) }
    let a = screen("a")
    players.add(a)
    #expect(canaries.alive == 0)
    #expect(players.delegates[0] == nil && players.delegates[1] === a)
    players.invoke { $0.didStart(1) }
    #expect(received.values == ["a1"])
    // Its place is gone, and what the place kept.
    #expect(players.delegates[0] === a && players.delegates[1] == nil)
    #expect(Array(players).count == 1)
  }

  @Test("It may be iterated: those that live, in their order, whatever changes meanwhile")
  func iterated() {
    let (a, b) = (screen("a"), screen("b"))
    players.add(a)
    do { players.add(screen("destroyed")) }
    players.add(b)
    #expect(players.map(\.name) == ["a", "b"])
    for player in players {
      players.remove(player)
      player.didStart(1)
    }
    #expect(received.values == ["a1", "b1"])
    #expect(!players.contains { _ in true })
  }

  @Test("Delegates may be of a class, of any object, or of `Any`")
  func written() {
    let a = screen("a")
    let screens = MulticastDelegate<Screen>()
    let objects = MulticastDelegate<AnyObject>()
    let anything = MulticastDelegate<Any>()
    screens.add(a)
    objects.add(a)
    anything.add(a)
    screens.invoke { $0.didStart(1) }
    objects.invoke { ($0 as? Screen)?.didStart(2) }
    anything.invoke { ($0 as? Screen)?.didStart(3) }
    #expect(received.values == ["a1", "a2", "a3"])
    screens.remove(a)
    objects.remove(a)
    anything.remove(a)
    screens.invoke { $0.didStart(4) }
    objects.invoke { ($0 as? Screen)?.didStart(4) }
    anything.invoke { ($0 as? Screen)?.didStart(4) }
    #expect(received.values.count == 3)
  }

  @Test("Inside a call: add, remove, and invoke")
  func reentrant() {
    let (b, c) = (screen("b"), screen("c"))
    let didIt = Locked(false)
    let a = Screen("a", in: received) { [players] _ in
      let first = didIt.withLock { did in
        defer { did = true }
        return !did
      }
      guard first else { return }
      players.remove(b)
      players.add(c)
      players.invoke { $0.didStart(2) }
    }
    players.add(a)
    players.add(b)
    #expect(Threads.elsewhere { players.invoke { $0.didStart(1) } })
    #expect(received.values == ["a1", "a2", "c2"])
  }

  @Test("Four threads adding, removing and invoking simultaneously lose no call")
  func fourThreads() {
    let (threads, rounds) = (4, 200)
    let stays = screen("a")
    players.add(stays)
    let ended = Threads.together(threads) { [players] thread in
      for round in 0..<rounds {
        let own = Recorder<String>()
        let passing = Screen("p", in: own)
        players.add(passing)
        players.invoke { $0.didStart(thread * 10_000 + round) }
        if !own.values.contains("p\(thread * 10_000 + round)") { self.received("lost") }
        if round % 2 == 0 { players.remove(passing) }
      }
    }
    #expect(ended)
    #expect(received.values.count == threads * rounds)
    #expect(Set(received.values).count == threads * rounds)
    players.invoke { _ in }
    #expect(Array(players).count == 1)
  }

  @Test("A value type is rejected with its name, and not dropped without a report")
  func valueTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let anything = MulticastDelegate<Any>()
      anything.add(42)
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("holds its delegates weakly, so they must be objects: Int is not"))
  }
}
