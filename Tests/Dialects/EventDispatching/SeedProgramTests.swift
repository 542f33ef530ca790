import EventDispatching
import Foundation
import Testing

// The programs that the original's text shows, rewritten.

private final class Product {
  let onPriceChange = EventDispatch<Double>()
  var price = 100.0 { didSet { onPriceChange <- (oldValue, price) } }
}

@Suite struct EventDispatchSeedPrograms {
  @Test func `a price notifies of its changes`() {
    let product = Product()
    var printed: [String] = []
    product.onPriceChange += { printed.append("the price has changed to \($0)") }
    product.price = 90
    #expect(printed == ["the price has changed to 90.0"])
  }

  @Test func `a price that is set to what it is notifies no handler`() {
    let product = Product()
    var received: [Double] = []
    product.onPriceChange += { received.append($0) }
    for price in [100.0, 90, 90, 90, 100] { product.price = price }
    #expect(received == [90, 100])
  }

  @Test func `events with a number, an object, a tuple and nothing, by method and by operator`() {
    let onPriceChange = EventDispatch<Double>()
    let onDateUpdate = EventDispatch<NSDate>()
    let onGotResponse = EventDispatch<(Int, String)>()
    let onCallback = EventDispatch<Void>()
    var received: [String] = []
    onPriceChange.addHandler { received.append("price \($0)") }
    onDateUpdate.addHandler { received.append("date \($0.timeIntervalSince1970)") }
    onGotResponse.addHandler { (code, msg) in received.append("response \(code) \(msg)") }
    onCallback += { received.append("callback") }
    let date = NSDate(timeIntervalSince1970: 0)

    onPriceChange.notify(90.0)
    onDateUpdate.notify(date)
    onGotResponse.notify((200, "ok"))
    onCallback.notify()
    let once = ["price 90.0", "date 0.0", "response 200 ok", "callback"]
    #expect(received == once)

    onPriceChange <- 90.0
    onDateUpdate <- date
    onGotResponse <- (200, "ok")
    onCallback <- ()
    #expect(received == once + once)
  }

  @Test func `a handler is removed by its identifier`() {
    let onCallback = EventDispatch<Void>()
    var count = 0
    let handler = onCallback.addHandler { count += 1 }
    onCallback.notify()
    onCallback.removeHandler(handler)
    onCallback.notify()
    #expect(count == 1)
  }

  @Test func `the result of a long task is handled once`() {
    let onCallback = EventDispatch<Void>()
    var count = 0
    onCallback.handleOnce { count += 1 }
    onCallback <- ()
    onCallback <- ()
    #expect(count == 1)
  }

  @Test func `one handler removes another: both are called the first time, then one`() {
    let onCallback = EventDispatch<Void>()
    var called: [Int] = []
    var handler2: EventDispatch<Void>.HandlerIdentifier!
    let handler1 = onCallback.addHandler {
      called.append(1)
      onCallback.removeHandler(handler2)
    }
    handler2 = onCallback.addHandler { called.append(2) }
    onCallback.notify()
    #expect(called == [1, 2])
    onCallback.notify()
    #expect(called == [1, 2, 1])
    #expect(onCallback.removeHandler(handler1))
  }

  @Test func `a model notifies a view of its changes`() {
    final class Counter {
      let changed = EventDispatch<Int>()
      private(set) var count = 0 { didSet { changed <- (oldValue, count) } }
      func increment(by step: Int) { count += step }
    }
    final class CounterView {
      private(set) var text = "0"
      init(_ counter: Counter) { counter.changed += { [unowned self] in text = "\($0)" } }
    }
    let counter = Counter()
    let view = CounterView(counter)
    counter.increment(by: 2)
    counter.increment(by: 0)
    #expect(view.text == "2")
  }
}
