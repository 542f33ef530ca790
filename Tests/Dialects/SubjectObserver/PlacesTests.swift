import SubjectObserver
import Testing
import TidingsTesting

@Suite("The place of an observer")
struct PlacesTests {
  let subject = Subject()
  let received = Recorder<String>()
  func listener(_ name: String) -> Listener { Listener(name, in: received) }

  @Test("Both subscripts find what is there, and give nil for what is not")
  func subscripts() {
    let (a, b, c) = (listener("a"), listener("b"), listener("c"))
    subject += [a, b, a]
    #expect(subject[0] === a)
    #expect(subject[1] === b)
    #expect(subject[2] === a)
    #expect(subject[3] == nil)
    #expect(subject[-1] == nil)
    #expect(subject[a] == 0)
    #expect(subject[b] == 1)
    #expect(subject[c] == nil)
  }

  @Test("Removing closes the gap now")
  func removing() {
    let (a, b, c) = (listener("a"), listener("b"), listener("c"))
    subject += [a, b, c]
    subject --= b
    #expect(subject[b] == nil)
    #expect(subject[1] === c)
    #expect(subject[c] == 1)
    #expect(subject[2] == nil)
  }

  @Test("Disposing empties the place now; the next send sweeps it")
  func disposing() {
    let (a, b, c) = (listener("a"), listener("b"), listener("c"))
    subject += [a, b, c]
    subject -= b
    #expect(subject[b] == nil)
    #expect(subject[1] == nil)
    #expect(subject[c] == 2)
    subject.send(1)
    #expect(received.values == ["a1", "c1"])
    #expect(subject[1] === c)
    #expect(subject[c] == 1)
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

  @Test("The place of an observer that has ended is empty until the next send sweeps it")
  func ended() {
    let (a, c) = (listener("a"), listener("c"))
    subject += a
    do { subject += listener("b") }
    subject += c
    #expect(subject[1] == nil)
    #expect(subject[c] == 2)
    subject.send(1)
    #expect(subject[1] === c)
    #expect(subject[2] == nil)
    #expect(received.values == ["a1", "c1"])
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

  @Test("A subject that is swept again and again keeps its order")
  func sweptOften() {
    let stays = (0..<5).map { listener("s\($0).") }
    for (index, listener) in stays.enumerated() {
      for _ in 0..<20 {
        do { subject += self.listener("destroyed") }
        subject.send(0)
      }
      subject += listener
      #expect(subject[listener] == index)
    }
    #expect(received.values.suffix(4) == ["s0.0", "s1.0", "s2.0", "s3.0"])
  }
}
