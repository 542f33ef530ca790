import Testing
import Tidings
import TidingsState

@Suite("Descriptions of state")
struct StateDescriptionTests {
  @Test("Each says what it is, its label, what it has, and how many subscribe; it computes nothing for that")
  func descriptions() async throws {
    let id = Observed(1)
    let user = AsyncDerived(of: id, label: "user") { id in "user \(id)" }
    #expect("\(user)" == "AsyncDerived 'user': not computed, 0 subscriptions")
    _ = try await user.loaded()
    #expect("\(user)" == #"AsyncDerived 'user': loaded("user 1"), 0 subscriptions"#)
    #expect(
      Mirror(reflecting: user).children.map(\.label) == ["label", "value", "isStale", "subscriptions"])

    let history = History(of: id)
    id.set(2)
    id.set(3)
    history.undo()
    #expect("\(history)" == "History of 1 value (1 to undo, 1 to redo)")
    #expect(Mirror(reflecting: history).children.map { "\($0.value)" } == ["1", "1", "1"])

    let scope = Scope()
    #expect("\(scope)" == "Scope (0 subscriptions, 0 tasks)")
    id.observe { _ in }.store(in: scope)
    let ended = id.observe { _ in }
    ended.store(in: scope)
    ended.cancel()
    let (stream, _) = AsyncStream.makeStream(of: Void.self)
    scope.task { for await _ in stream {} }
    #expect("\(scope)" == "Scope (1 subscription, 1 task)")
    scope.cancel()
    #expect("\(scope)" == "Scope (ended)")
    #expect(Mirror(reflecting: scope).children.map { "\($0.value)" } == ["ended"])
  }
}
