// swift-format-ignore-file: NoAssignmentInExpressions

import EventDispatching
import Testing

// Every line that the documentation comments and the migration page show, as programs that run.

@Suite struct EventDispatchingDocumentationTests {
  @Test func `what the comments show of a price`() {
    final class Alerts {
      var checked: [Double] = []
      func check(_ price: Double) { checked.append(price) }
    }
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let alerts = Alerts()

    let onPriceChange = EventDispatch<Double>()
    var price = 100.0 { didSet { onPriceChange <- (oldValue, price) } }

    onPriceChange += { print("the price is \($0) now") }
    price = 90
    #expect(printed == ["the price is 90.0 now"])

    let identifier = onPriceChange += { alerts.check($0) }
    let tax = 8.0
    onPriceChange <- price + tax
    onPriceChange -= identifier
    onPriceChange <- price
    #expect(alerts.checked == [98])
  }

  @Test func `what the comments show of the protocol`() {
    func drop(_ price: inout Double, by percent: Double, notifying dispatch: some EventDispatchProtocol<Double>) {
      let old = price
      price *= 1 - percent / 100
      dispatch.notifyIfChanged(old: old, new: price)
    }
    let onPriceChange = EventDispatch<Double>()
    var received: [Double] = []
    onPriceChange += { received.append($0) }
    var once = 100.0
    drop(&once, by: 50, notifying: onPriceChange)
    drop(&once, by: 0, notifying: onPriceChange)
    #expect(received == [50])
    var price = 100.0 { didSet { onPriceChange.notifyIfChanged(old: oldValue, new: price) } }
    price = 100
    price = 90
    #expect(received == [50, 90])
  }

  @Test func `what the comments show of responses, downloads and callbacks`() {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
    let onGotResponse = EventDispatch<(Int, String)>()
    let onDownloaded = EventDispatch<String>()
    let onCallback = EventDispatch<Void>()

    let identifier = onGotResponse.addHandler { (code, message) in print(code, message) }
    onGotResponse.notify((200, "ok"))
    onGotResponse <- (200, "ok")
    onGotResponse.removeHandler(identifier)
    onGotResponse <- (404, "not found")
    #expect(printed == ["200 ok", "200 ok"])

    onDownloaded.handleOnce { file in print(file) }
    onDownloaded +-= { file in print(file) }
    onDownloaded <- "prices.csv"
    onDownloaded <- "more.csv"
    #expect(printed.suffix(2) == ["prices.csv", "prices.csv"])

    var handler: EventDispatch<Void>.HandlerIdentifier?
    handler = onCallback.addHandler { print("called back") }
    onCallback <- ()
    #expect(printed.last == "called back" && handler != nil)
  }

  @Test func `the page's program`() {
    class Product {
      let onPriceChange = EventDispatch<Double>()
      var price = 100.0 { didSet { onPriceChange <- (oldValue, price) } }
    }
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let product = Product()
    product.onPriceChange += { print("the price has changed to \($0)") }
    product.price = 90
    #expect(printed == ["the price has changed to 90.0"])
  }

  @Test func `a handler that is removed by another still receives the event that is being delivered`() {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let onCallback = EventDispatch<Void>()

    var second: EventDispatch<Void>.HandlerIdentifier?
    onCallback.addHandler { if let second { onCallback.removeHandler(second) } }
    second = onCallback += { print("the second, for the last time") }
    onCallback <- ()
    onCallback <- ()
    #expect(printed == ["the second, for the last time"])
  }
}
