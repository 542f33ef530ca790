import Testing
import Tidings
import TidingsTesting

/// By accident or on purpose: it is clear what happens, and nothing is lost.
@Suite("Owners, actors and events that are deinitialized while a value is delivered")
struct DestroyedDuringDeliveryTests {
  @Test("An actor that is deinitialized with values on their way to it: they are dropped, and others get theirs")
  func actorIsDestroyed() async {
    for _ in 0..<50 {
      let (event, received) = (Event<Int>(), Recorder<Int>())
      do {
        let listener = Listener()
        event.observe(with: listener) { listener, value in listener.note(value) }
        event.emit(contentsOf: 1...5)
      }
      let other = event.observe { received($0) }
      await event.emitAndWait(6)
      event.emit(7)
      #expect(received.values == [6, 7])
      other.cancel()
    }
  }

  @Test(
    "An event that is deinitialized while it delivers delivers what it was given",
    arguments: [DeliveryPolicy.serial, .immediate])
  func eventIsDestroyed(_ policy: DeliveryPolicy) {
    let (received, canaries) = (Recorder<String>(), Canaries())
    let event = Locked<Event<Int>?>(Event(policy: policy))
    weak let remembered = event.current
    let tokens = [
      event.current?.observe { [canary = canaries.make()] value in
        canary.touch()
        received("first \(value)")
        if value == 1 {
          event.current?.emit(2)
          event.current = nil
        }
      },
      event.current?.observe { [canary = canaries.make()] value in
        canary.touch()
        received("last \(value)")
      },
    ]
    event.current?.emit(1)
    let serial = ["first 1", "last 1", "first 2", "last 2"]
    #expect(received.values == (policy == .serial ? serial : ["first 1", "first 2", "last 2", "last 1"]))
    #expect(remembered == nil)
    #expect(canaries.alive == 0)
    #expect(tokens.allSatisfy { $0?.isActive == false })
  }

  @Test("An event that is deinitialized while another thread delivers it delivers what both gave it")
  func eventIsDestroyedElsewhere() {
    for _ in 0..<50 {
      let (received, entered, proceed, ended) = (Recorder<Int>(), Gate(), Gate(), Gate())
      let event = Locked<Event<Int>?>(Event())
      let first = event.current?.observe { _ in
        entered.open()
        proceed.wait()
      }
      let last = event.current?.observe { received($0) }
      Threads.start {
        event.current?.emit(1)
        ended.open()
      }
      entered.wait()
      event.current?.emit(2)
      event.current = nil
      proceed.open()
      ended.wait()
      #expect(received.values == [1, 2])
      #expect(first?.isActive == false && last?.isActive == false)
    }
  }

  @Test("A local event that is deinitialized while it delivers delivers what it was given")
  func localEventIsDestroyed() {
    let canaries = Canaries()
    var (received, event): ([String], LocalEvent<Int>?) = ([], LocalEvent())
    let tokens = [
      event?.observe { [canary = canaries.make()] value in
        canary.touch()
        received.append("first \(value)")
        if value == 1 {
          event?.emit(2)
          event = nil
        }
      },
      event?.observe { received.append("last \($0)") },
    ]
    event?.emit(1)
    #expect(received == ["first 1", "last 1", "first 2", "last 2"])
    #expect(canaries.alive == 0)
    #expect(tokens.allSatisfy { $0?.isActive == false })
  }
}
