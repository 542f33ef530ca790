import Testing
import TidingsMacros
import TidingsTesting

@Suite("Snapshots")
@MainActor struct SnapshotTests {
  @Test("Restoring a snapshot undoes what was assigned since, in one transaction")
  func undo() {
    let (ticket, received) = (TradeTicket(), Recorder<Double>())
    let token = ticket.$total.observe { change in received(change.new) }
    ticket.quantity = 2
    let before = ticket.snapshot()
    ticket.quantity = 3
    ticket.price = 10
    ticket.fill(5)
    ticket.restore(before)
    #expect(received.values == [200, 300, 30, 200])
    #expect(ticket.quantity == 2 && ticket.price == 100 && ticket.fills.isEmpty)
    token.cancel()
  }

  @Test("A property that has its value already is not written")
  func unchanged() {
    let (ticket, received) = (TradeTicket(), Recorder<Int>())
    let before = ticket.snapshot()
    ticket.price = 10
    let token = ticket.$quantity.observe { change in received(change.new) }
    ticket.restore(before)
    #expect(received.values == [])
    token.cancel()
  }

  @Test("An optional is restored to nil, and not written if it is nil already")
  func optional() {
    let (note, received) = (Note(), Recorder<String?>())
    let before = note.snapshot()
    let token = note.$text.observe { change in received(change.new) }
    note.restore(before)
    note.text = "urgent"
    note.restore(before)
    #expect(received.values == ["urgent", nil])
    token.cancel()
  }

  @Test("A snapshot is restored to another object of the same type")
  func another() {
    let (ticket, other) = (TradeTicket(quantity: 9), TradeTicket())
    ticket.fill(2)
    other.restore(ticket.snapshot())
    #expect(other.quantity == 9 && other.fills == [2])
  }

  @Test("The values of a snapshot are of one moment, also if other threads write meanwhile")
  func oneMoment() async {
    let pair = Pair()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...2_000 {
          transaction {
            pair.$one.set(number)
            pair.$other.set(-number)
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          let copy = Pair()
          for _ in 0..<500 {
            copy.restore(pair.snapshot())
            #expect(copy.one == -copy.other)
          }
        }
      }
    }
  }

  @Test("In a transaction it has what the transaction wrote, and a transaction that throws restores nothing")
  func transactions() {
    struct Cancelled: Error {}
    let ticket = TradeTicket()
    let before = ticket.snapshot()
    ticket.quantity = 4
    try? transaction {
      ticket.quantity = 5
      let inside = ticket.snapshot()
      ticket.restore(before)
      ticket.restore(inside)
      #expect(ticket.quantity == 5)
      ticket.restore(before)
      throw Cancelled()
    }
    #expect(ticket.quantity == 4)
  }
}

@ObservedProperties private final class Pair: Sendable {
  var one = 0
  var other = 0
}

@ObservedProperties @MainActor private final class Note {
  var text: String?
}
