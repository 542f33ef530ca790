import Tidings
import TidingsState

actor API {
  func search(_ text: String) throws -> [String] {
    print("asked for", text)
    return ["\(text)-nio", "\(text)-log"]
  }
}
final class SearchModel: Sendable {
  let query = Observed("", changes: .distinct)
  let selected = Event<Int>()
  let results: Derived<[String]>
  let isLoading: Derived<Bool>
  let opened: AnyEventSource<String>
  private let found: AsyncDerived<[String]>

  init(_ api: API) {
    found = AsyncDerived(of: query, debounce: .milliseconds(300)) { text in try await api.search(text) }
    results = Derived { [found] in found.value.output ?? [] }
    isLoading = Derived { [found] in found.value.isLoading }
    opened = selected.withLatest(from: results).map { index, results in results[index] }
  }
  func refresh() { found.reload() }
}

let email = Observed("")
let password = Observed("")
let isValid = Derived { email.value.contains("@") && password.value.count >= 8 }
let shown = isValid.observe(.initial) { change in print("can log in:", change.new) }
email.set("ada@example.com")
password.set("analytical")

let model = SearchModel(API())
let rows = model.results.observe { change in print("rows:", change.new) }
let opening = model.opened.observe { name in print("opened:", name) }
for text in ["s", "sw", "swift"] { model.query.set(text) }
_ = await model.results.first { !$0.isEmpty }
await model.results.drained()
model.selected.emit(1)
