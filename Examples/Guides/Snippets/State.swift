// The code that the guides and the documentation comments show of `TidingsState`.
import Tidings
import TidingsCollections
import TidingsState

struct User: Sendable {
  let name: String
}
struct API: Sendable {
  func user(_ id: Int) async throws -> User {
    await Task.yield()
    return User(name: "user \(id)")
  }
  func search(_ text: String, page: Int) async throws -> [String] { [text] }
  func items(after previous: [String], in topic: String) async throws -> [String] { previous + [topic] }
}
@MainActor final class Spinner {
  var isHidden = false
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
@MainActor func asynchronous(_ spinner: Spinner) async throws {
  let (api, id) = (API(), Observed(1))
  let user = AsyncDerived { try await api.user(id.value) }
  let title = Derived { user.value.latest?.name ?? "…" }
  let showing = user.observe(.initial) { change in spinner.isHidden = !change.new.isLoading }
  let name = try await user.loaded().name
  print(name, title.value)
  id.set(2)
  print(user.value.isLoading, title.value)
  if user.value.error != nil { user.reload() }
  print(try await user.loaded().name)
  print(user)  // AsyncDerived 'user': loading(previous: nil), 1 subscription
  showing.cancel()
  let topic = Observed("news")
  let feed = AsyncDerived(initial: []) { previous in try await api.items(after: previous, in: topic.value) }
  print(try await feed.loaded())
}

func ofAnInput() async throws {
  let (api, id) = (API(), Observed(3))
  let user = AsyncDerived(of: id) { id in try await api.user(id) }
  print(try await user.loaded().name)
}

func searching() async throws {
  let (api, text, number) = (API(), Observed(""), Observed(1))
  let found = AsyncDerived(of: text, debounce: .milliseconds(300)) { text in try await api.search(text, page: 1) }
  let page = AsyncDerived(of: combine(text, number)) { text, number in try await api.search(text, page: number) }
  let user = AsyncDerived(of: number) { number in try await api.user(number) }
  let isWaiting = Derived { user.value.isLoading }
  print(try await found.loaded(), try await page.loaded(), isWaiting.value)
}

func store(_ trade: Int) async {}
func refresh() async {}
func show(_ trade: Int) {}
func scopes() async {
  let (price, traded) = (Observed(100.0), Event<Int>())
  let trades = traded.stream()
  let scope = Scope()
  price.observe { change in print(change.new) }.store(in: scope)
  scope.task { for await trade in trades { await store(trade) } }
  scope.task { await refresh() }
  scope.task {
    for await trade in scope.add(traded.stream()) { show(trade) }
  }
  let row = scope.child()
  price.set(101)
  await scope.finish()
  price.set(102)
  print(row.isActive)
  print(scope)  // Scope (2 subscriptions, 1 task)
}

func histories() {
  let (quantity, price) = (Observed(1), Observed(10.0))
  let history = History(of: quantity, price)
  transaction {
    quantity.set(2)
    price.set(8)
  }
  history.undo()  // both
  print(quantity.value, price.value, history.canRedo.value)
  history.redo()
  print(quantity.value, price.value, history.canRedo.value)
  print(history)  // History of 3 values (2 to undo, 0 to redo)
}

@MainActor final class Document {
  @MainObserved var title = ""
  let history: History
  init() { history = History(of: _title.projectedValue) }
}

func steps() {
  let (quantity, price, total, text) = (Observed(1), Observed(10.0), Observed(10.0), Observed(""))
  let following = combine(quantity, price).observe { change in total.set(Double(change.new.0) * change.new.1) }
  let history = History(of: quantity, price, total)
  let longer = History(of: text, limit: 500)
  longer.clear()
  quantity.set(3)
  history.undo()  // quantity and total
  print(quantity.value, total.value)
  history.group {
    quantity.set(4)
    price.set(7)
  }
  history.group("price", pause: .seconds(1)) { price.update { $0 += 1 } }
  history.undo()
  print(quantity.value, price.value, total.value)
  let selection = [Observed(1), Observed(2)]
  history.group {
    for item in selection { item.set(0) }
  }
  let typing = History(of: text, coalescing: .seconds(1))
  text.set("a")
  print(typing.undo())
  let (tasks, prices) = (ObservedArray(["read"]), ObservedDictionary(["MSFT": 39.81]))
  let edits = History(of: tasks, prices)
  tasks.append("write")
  edits.undo()
  print(tasks.value)
  withExtendedLifetime(following) {}
}

if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { try await asynchronous(Spinner()) }
try await ofAnInput()
await scopes()
histories()
steps()
