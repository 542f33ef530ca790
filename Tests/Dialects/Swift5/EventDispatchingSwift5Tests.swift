// swift-format-ignore-file: NoAssignmentInExpressions
// `+=` returns the identifier.

import EventDispatching
import Foundation
import Testing

// The original's programs, as a client in Swift 5 mode has them.

private class Product {
  let onPriceChange = EventDispatch<Double>()
  var price: Double = 100.0 {
    didSet { onPriceChange <- (oldValue, price) }
  }
}

@Suite struct EventDispatchingSwift5Tests {
  @Test func `every kind of event, by method and by operator`() {
    let product = Product()
    let onDateUpdate = EventDispatch<NSDate>()
    let onGotResponse = EventDispatch<(Int, String)>()
    let onCallback = EventDispatch<Void>()
    var received: [String] = []
    product.onPriceChange += { received.append("\($0)") }
    onDateUpdate.addHandler { received.append("\($0.timeIntervalSince1970)") }
    onGotResponse.addHandler { (code, msg) in received.append("\(code) \(msg)") }
    onCallback += { received.append("callback") }
    for price in [100.0, 90.0, 90.0] { product.price = price }
    onDateUpdate.notify(NSDate(timeIntervalSince1970: 0))
    onDateUpdate <- NSDate(timeIntervalSince1970: 1)
    onGotResponse.notify((200, "ok"))
    onGotResponse <- (404, "not found")
    onCallback.notify()
    onCallback <- ()
    #expect(received == ["90.0", "0.0", "1.0", "200 ok", "404 not found", "callback", "callback"])
  }

  @Test func `handlers are removed, also by a handler; once-handlers end by themselves`() {
    let onCallback = EventDispatch<Void>()
    var called: [String] = []
    var handler2: EventDispatch<Void>.HandlerIdentifier!
    let handler1 = onCallback.addHandler {
      called.append("one")
      onCallback.removeHandler(handler2)
    }
    handler2 = onCallback.addHandler { called.append("two") }
    onCallback.handleOnce { called.append("once") }
    onCallback +-= { called.append("once, by operator") }
    onCallback <- ()
    onCallback <- ()
    onCallback -= handler1
    onCallback <- ()
    #expect(called == ["one", "two", "once", "once, by operator", "one"])
  }
}
