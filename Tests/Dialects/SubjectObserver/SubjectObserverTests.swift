import SubjectObserver
import Testing
import TidingsTesting

/// A subject keeps these behaviours of the original beside the contract, and tells where an observer is.
@Suite("SubjectObserver: observers and their places")
struct SubjectObserverTests {
  let subject = Subject()
  let received = Recorder<String>()
  func listener(_ name: String) -> Listener { Listener(name, in: received) }

  @Test(
    "An observer that was added twice is notified twice, and removed or disposed of one at a time, the first first",
    arguments: [true, false])
  func twice(isRemoved: Bool) {
    let (a, b, unknown) = (listener("a"), listener("b"), listener("unknown"))
    subject += [a, b, a]
    subject.send(1)
    for value in 2...4 {
      for observer in [a, unknown] {
        if isRemoved { subject.remove(observer: observer) } else { subject.dispose(observer: observer) }
      }
      subject.send(value)
    }
    #expect(received.values == ["a1", "b1", "a1", "b2", "a2", "b3", "b4"])
  }

  @Test("The operators do what the methods do, for one and for several; of notifications the first reaches all first")
  func operators() {
    let (a, b, c, d) = (listener("a"), listener("b"), listener("c"), listener("d"))
    subject += a
    subject += [b, c, d]
    subject ~> Number(1)
    subject --= d
    subject -= c
    #expect(subject[2] == nil && subject[3] == nil)
    subject ~> [Number(2), Number(3)]
    subject --= [a, b]
    #expect(subject[0] == nil)
    subject += [a, b]
    subject -= [a, b]
    #expect(subject[0] == nil && subject[b] == nil)
    subject ~> Number(4)
    #expect(received.values == ["a1", "b1", "c1", "d1", "a2", "b2", "a3", "b3"])
  }

  // MARK: Places

  @Test("Both subscripts find what is there, and give nil for what is not; removing closes the gap now")
  func subscripts() {
    let (a, b, c) = (listener("a"), listener("b"), listener("c"))
    subject += [a, b, a]
    #expect(subject[0] === a && subject[1] === b && subject[2] === a)
    #expect(subject[3] == nil && subject[-1] == nil)
    #expect(subject[a] == 0 && subject[b] == 1 && subject[c] == nil)
    subject --= b
    #expect(subject[0] === a && subject[1] === a && subject[2] == nil)
    #expect(subject[a] == 0 && subject[b] == nil)
  }

  @Test("The place of an observer that was disposed of, or has ended, is empty until the next send sweeps it")
  func emptied() {
    let (a, b, d) = (listener("a"), listener("b"), listener("d"))
    subject += [a, b]
    do { subject += listener("c") }
    subject += d
    subject -= b
    #expect(subject[b] == nil && subject[1] == nil && subject[2] == nil)
    #expect(subject[d] == 3)
    subject.send(1)
    #expect(received.values == ["a1", "d1"])
    #expect(subject[1] === d && subject[d] == 1)
    #expect(subject[2] == nil)
  }

  @Test("A disposed place is swept before the first observer is called")
  func sweptBefore() {
    let indices = Recorder<Int>()
    let a = listener("a")
    let c = Listener("c", in: received) { [subject] c, _ in indices(subject[c] ?? -1) }
    subject += [a, c]
    subject -= a
    subject.send(1)
    #expect(indices.values == [0])
  }

  @Test("The place of an ended observer is swept by the send that finds it")
  func sweptAfter() {
    let b = listener("b")
    do { subject += listener("a") }
    subject += b
    subject.send(1)
    #expect(subject[0] === b)
  }

  @Test("A new observer at the address of one that has ended is another")
  func sameAddress() {
    for _ in 0..<100 {
      let subject = Subject()
      var address: ObjectIdentifier?
      do {
        let old = listener("old")
        address = ObjectIdentifier(old)
        subject += old
      }
      let new = listener("new")
      if ObjectIdentifier(new) == address { #expect(subject[new] == nil) }
      subject --= new
      subject += new
      #expect(subject[new] == 1)
    }
  }
}
