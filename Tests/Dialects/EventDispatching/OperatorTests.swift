// swift-format-ignore-file: NoAssignmentInExpressions
// What `+=` gives is the identifier.

import EventDispatching
import Testing

@Suite struct EventDispatchOperators {
  @Test func `+= adds a handler to a constant and gives its identifier, -= removes it`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    let identifier = dispatch += { received.append($0) }
    dispatch += { received.append(-$0) }
    dispatch.notify(1)
    dispatch -= identifier
    dispatch.notify(2)
    #expect(received == [1, -1, -2])
  }

  @Test func `+-= adds a handler for one event and gives its identifier`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    dispatch +-= { received.append($0) }
    let removed = dispatch +-= { received.append(-$0) }
    dispatch -= removed
    dispatch <- 1
    dispatch <- 2
    #expect(received == [1])
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
    one += method
    one += { _ in received.append("ignored") }
    nothing <- ()
    pair <- (200, "ok")
    one <- 1
    #expect(received == ["nothing", "nothing, once", "200 ok", "200", "ok", "method 1", "ignored"])
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

  @Test func `<- takes in whole expressions, as an assignment does`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    dispatch += { received.append($0) }
    let price = 40
    dispatch <- price + 2
    dispatch <- price > 0 ? price : 0
    #expect(received == [42, 40])
  }
}
