import Tidings
import TidingsState

/// Finds cities by the beginning of their name, after a while.
struct Atlas: Sendable {
  struct Unknown: Error {}

  func cities(beginningWith text: String) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(50))
    let found = ["Berlin", "Bergen", "Bern", "Oslo"].filter { $0.hasPrefix(text) }
    if found.isEmpty { throw Unknown() }
    return found
  }
}

/// The state that a search screen shows and edits. The model knows nothing of the screen.
@MainActor final class SearchModel {
  @MainObserved(changes: .distinct) var text = "B"
  @MainObserved var selection: String?
  let results: AsyncDerived<[String]>
  let status: Derived<String>

  init(_ atlas: Atlas) {
    results = AsyncDerived(of: _text.projectedValue) { text in try await atlas.cities(beginningWith: text) }
    // Captures what it reads and not the model, so neither keeps the other alive.
    status = Derived { [results, text = _text.projectedValue, selection = _selection.projectedValue] in
      if let city = selection.value { return "going to \(city)" }
      return switch results.value {
      case .loading(let previous): "searching \(text.value), still showing \(previous?.count ?? 0)"
      case .loaded(let cities): "\(text.value): \(cities.joined(separator: ", "))"
      case .failed: "there is no city that begins with \(text.value)"
      }
    }
  }
}

/// The screen: here it prints. What it observes ends with it.
@MainActor final class SearchScreen {
  private let scope = Scope()

  init(_ model: SearchModel) {
    model.status.observe(.initial) { change in print("[\(change.new)]") }.store(in: scope)
  }
  func close() async { await scope.finish() }
}

/// Returns when the screen was notified of the answer.
@MainActor func answer(of model: SearchModel) async {
  for await status in model.status.stream(.every) where !status.hasPrefix("searching") { return }
}

let model = SearchModel(Atlas())
let screen = SearchScreen(model)
await answer(of: model)

// Typed faster than the answers come: two tasks are cancelled, and no answer to them is shown.
for text in ["Be", "Ber", "Berl"] { model.text = text }
await answer(of: model)

model.text = "Xy"
await answer(of: model)

model.selection = "Oslo"
await screen.close()
model.selection = nil
