// swift-format-ignore-file: NoAssignmentInExpressions
// `+=` returns the identifier.

import EventDispatching
import Testing

@Suite struct EventDispatchingOperatorTests {
  @Test func `+= adds a handler to a constant, +-= for one event; both give the identifier by which -= removes it`() {
    let dispatch = EventDispatch<Int>()
    var received: [String] = []
    let every = dispatch += { received.append("every \($0)") }
    let once = dispatch +-= { received.append("removed \($0)") }
    dispatch +-= { received.append("once \($0)") }
    dispatch += { received.append("other \($0)") }
    dispatch -= once
    dispatch <- 1
    dispatch -= every
    dispatch <- 2
    #expect(received == ["every 1", "once 1", "other 1", "other 2"])
  }

  @Test func `every kind of closure fits`() {
    let (nothing, pair, one) = (EventDispatch<Void>(), EventDispatch<(Int, String)>(), EventDispatch<Int>())
    var received: [String] = []
    func method(_ value: Int) { received.append("method \(value)") }
    nothing += { received.append("nothing") }
    nothing +-= { received.append("nothing, once") }
    pair += { (code, message) in received.append("\(code) \(message)") }
    pair += { code, _ in received.append("\(code)") }
    pair += { received.append($0.1) }
    pair.handleOnce { code, message in received.append("once \(code)") }
    one += method
    one += { _ in received.append("ignored") }
    nothing <- ()
    pair <- (200, "ok")
    one <- 1
    #expect(received == ["nothing", "nothing, once", "200 ok", "200", "ok", "once 200", "method 1", "ignored"])
  }

  @Test func `<- with a value notifies of it, with an old and a new one only if they differ`() {
    let dispatch = EventDispatch<Double>()
    var received: [Double] = []
    dispatch += { received.append($0) }
    dispatch <- 1
    dispatch <- (1, 1)
    dispatch <- (1, 2)
    dispatch <- (oldValue: 2, newValue: 3)
    #expect(received == [1, 2, 3])
  }

  @Test func `<- with a pair notifies of the pair where that is the event`() {
    let pairs = EventDispatch<(Int, Int)>()
    var received: [Int] = []
    pairs += { received.append($0 + $1) }
    pairs <- (1, 1)
    #expect(received == [2])
    let optionals = EventDispatch<Int?>()
    var values: [Int?] = []
    optionals += { values.append($0) }
    optionals <- nil
    optionals <- (nil, 1)
    optionals <- (1, 1)
    #expect(values == [nil, 1])
  }
}
