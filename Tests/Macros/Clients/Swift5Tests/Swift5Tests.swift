import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties final class Player {
  var title = "Sonata"
  var seconds = 300
  var volume = 0.5
  var isPlaying = false
  var artist: String? = nil
  var queue: [String] = []
  private(set) var index = 0
  var rate: Double
  @Derived var line: String { "\(title) \(seconds) \(artist ?? "-")" }

  init(rate: Double) { self.rate = rate }
  func next() { index += 1 }
}

@Suite("Models in Swift 5 mode")
struct Swift5Tests {
  @Test("Properties are assigned and observed, without an actor")
  func plain() {
    let (player, received) = (Player(rate: 1), Recorder<String>())
    let tokens = [
      player.$line.observe { change in received(change.new) },
      player.$changes.observe { change in received("\(change.keyPaths.count)") },
    ]
    player.title = "Fugue"
    transaction {
      player.seconds += 10
      player.artist = "Bach"
    }
    player.queue.append("Toccata")
    player.next()
    #expect(received.values == ["Fugue 300 -", "1", "Fugue 310 Bach", "2", "1", "1"])
    #expect(player.queue == ["Toccata"] && player.index == 1 && player.rate == 1)
    withExtendedLifetime(tokens) {}
  }
}
