// swift-format-ignore-file: NoAssignmentInExpressions
// What `+=` gives is the identifier.

import EventDispatching
import Foundation
import Testing

// A client in Swift 5 mode.

private class Product {
  let onPriceChange = EventDispatch<Double>()
  var price: Double = 100.0 {
    didSet { onPriceChange <- (oldValue, price) }
  }
}

@Suite struct EventDispatchInSwift5 {
  @Test func `a price notifies of its changes, and of nothing else`() {
    let product = Product()
    var received: [Double] = []
    product.onPriceChange += { received.append($0) }
    for price in [100.0, 90.0, 90.0, 90.0, 100.0] { product.price = price }
    #expect(received == [90, 100])
  }

  @Test func `every kind of event, by method and by operator`() {
    let onDateUpdate = EventDispatch<NSDate>()
    let onGotResponse = EventDispatch<(Int, String)>()
    let onCallback = EventDispatch<Void>()
    var received: [String] = []
    onDateUpdate.addHandler { received.append("\($0.timeIntervalSince1970)") }
    onGotResponse.addHandler { (code, msg) in received.append("\(code) \(msg)") }
    onCallback += { received.append("callback") }
    onDateUpdate.notify(NSDate(timeIntervalSince1970: 0))
    onDateUpdate <- NSDate(timeIntervalSince1970: 1)
    onGotResponse.notify((200, "ok"))
    onGotResponse <- (404, "not found")
    onCallback.notify()
    onCallback <- ()
    #expect(received == ["0.0", "1.0", "200 ok", "404 not found", "callback", "callback"])
  }

  @Test func `handlers are removed, once-handlers end by themselves`() {
    let onCallback = EventDispatch<Void>()
    var called: [String] = []
    let handler = onCallback.addHandler { called.append("handler") }
    onCallback.handleOnce { called.append("once") }
    onCallback +-= { called.append("once, by operator") }
    onCallback <- ()
    onCallback.removeHandler(handler)
    let other = onCallback += { called.append("other") }
    onCallback <- ()
    onCallback -= other
    onCallback <- ()
    #expect(called == ["handler", "once", "once, by operator", "other"])
  }

  @Test func `one handler removes another: both are called the first time, then one`() {
    let onCallback = EventDispatch<Void>()
    var called: [Int] = []
    var handler2: EventDispatch<Void>.HandlerIdentifier!
    onCallback.addHandler {
      called.append(1)
      onCallback.removeHandler(handler2)
    }
    handler2 = onCallback.addHandler { called.append(2) }
    onCallback.notify()
    onCallback.notify()
    #expect(called == [1, 2, 1])
  }
}
