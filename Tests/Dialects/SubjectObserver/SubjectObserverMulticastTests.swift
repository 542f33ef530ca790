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
  init(_ name: String, in received: Recorder<String>, canary: Canary? = nil) {
    (self.name, self.received, self.canary) = (name, received, canary)
  }
  func didStart(_ track: Int) { received("\(name)\(track)") }
}

@Suite("SubjectObserver: MulticastDelegate", .timeLimit(.minutes(20)))
struct SubjectObserverMulticastTests {
  private let players = MulticastDelegate<any PlayerDelegate>()
  private let received = Recorder<String>()
  private func screen(_ name: String) -> Screen { Screen(name, in: received) }

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

  @Test("A multicast may be iterated: it yields the living delegates in order, also if they change meanwhile")
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
    func receivesUntilRemoved<Delegate>(_ delegates: MulticastDelegate<Delegate>, _ delegate: Delegate) -> Bool {
      var calls = 0
      delegates.add(delegate)
      delegates.invoke { if ($0 as? Screen)?.name == "a" { calls += 1 } }
      delegates.remove(delegate)
      delegates.invoke { _ in calls += 1 }
      return calls == 1
    }
    let a = screen("a")
    #expect(receivesUntilRemoved(MulticastDelegate<Screen>(), a))
    #expect(receivesUntilRemoved(MulticastDelegate<AnyObject>(), a))
    #expect(receivesUntilRemoved(MulticastDelegate<Any>(), a))
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
