// swift-format-ignore-file: NoAssignmentInExpressions
// What `+=` gives is the identifier.

import EventDispatching
import Testing

@Suite struct EventDispatchOperators {
  @Test func `+= adds a handler to a constant and gives its identifier, -= removes it`() {
    let dispatch = EventDispatch<Int>()
    var heard: [Int] = []
    let identifier = dispatch += { heard.append($0) }
    dispatch += { heard.append(-$0) }
    dispatch.notify(1)
    dispatch -= identifier
    dispatch.notify(2)
    #expect(heard == [1, -1, -2])
  }

  @Test func `+-= adds a handler for one event and gives its identifier`() {
    let dispatch = EventDispatch<Int>()
    var heard: [Int] = []
    dispatch +-= { heard.append($0) }
    let removed = dispatch +-= { heard.append(-$0) }
    dispatch -= removed
    dispatch <- 1
    dispatch <- 2
    #expect(heard == [1])
  }

  @Test func `every kind of closure fits`() {
    let (nothing, pair, one) = (EventDispatch<Void>(), EventDispatch<(Int, String)>(), EventDispatch<Int>())
    var heard: [String] = []
    func method(_ value: Int) { heard.append("method \(value)") }
    nothing += { heard.append("nothing") }
    nothing +-= { heard.append("nothing, once") }
    pair += { (code, message) in heard.append("\(code) \(message)") }
    pair += { code, _ in heard.append("\(code)") }
    pair += { heard.append($0.1) }
    one += method
    one += { _ in heard.append("ignored") }
    nothing <- ()
    pair <- (200, "ok")
    one <- 1
    #expect(heard == ["nothing", "nothing, once", "200 ok", "200", "ok", "method 1", "ignored"])
  }

  @Test func `<- with a value notifies of it, with an old and a new one only if they differ`() {
    let dispatch = EventDispatch<Double>()
    var heard: [Double] = []
    dispatch += { heard.append($0) }
    dispatch <- 1
    dispatch <- (1, 1)
    dispatch <- (1, 2)
    dispatch <- (oldValue: 2, newValue: 3)
    #expect(heard == [1, 2, 3])
  }

  @Test func `<- with a pair notifies of the pair where that is the event`() {
    let pairs = EventDispatch<(Int, Int)>()
    var heard: [Int] = []
    pairs += { heard.append($0 + $1) }
    pairs <- (1, 1)
    #expect(heard == [2])
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
    var heard: [Int] = []
    dispatch += { heard.append($0) }
    let price = 40
    dispatch <- price + 2
    dispatch <- price > 0 ? price : 0
    #expect(heard == [42, 40])
  }
}
