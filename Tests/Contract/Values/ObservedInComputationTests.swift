import Testing
import Tidings
import TidingsTesting

@Suite("20. A handler that a computation adds in a transaction sees none of its writes before they are committed")
struct ObservedInComputationTests {
  enum Form: CaseIterable, Sendable { case plain, initial, chain, latest }

  @Test("whether or not the value was ever computed", arguments: Form.allCases, [false, true])
  func cells(form: Form, isComputed: Bool) async {
    let (source, other, received) = (Observed(0), Observed(0), Recorder<Int>())
    let doubled = Derived { source.value * 2 }
    if isComputed { _ = doubled.value }
    let (tokens, streams) = (Recorder<Subscription>(), Recorder<EventStream<Int>>())
    let adding = Derived {
      switch form {
      case .plain: tokens(doubled.observe { received($0.new) })
      case .initial: tokens(doubled.observe(.initial) { received($0.new) })
      case .chain: tokens(doubled.map { $0 }.observe { received($0.new) })
      case .latest: streams(doubled.stream(.latest))
      }
      return other.value
    }
    transaction {
      source.set(1)
      _ = adding.value
      #expect(doubled.value == 2)
    }
    source.set(2)
    for token in tokens.values { token.cancel() }
    if let stream = streams.values.first { #expect(await stream.first { _ in true } == 4) }
    #expect(received.values == (form == .initial ? [0, 2, 4] : form == .latest ? [] : [2, 4]))
  }
}
