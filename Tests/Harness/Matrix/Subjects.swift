import Tidings

/// The kinds of source.
enum SourceKind: String, CaseIterable, Sendable {
  case serial, immediate, observed, derived

  /// Whether it is an event, which can be finished and waited for.
  var isEvent: Bool { self == .serial || self == .immediate }

  func make() -> Subject {
    switch self {
    case .serial, .immediate:
      let box = Box(Event<Int>("source", policy: self == .serial ? .serial : .immediate))
      return Subject(
        source: Box(box.value!), event: { box.value }, emit: { box.value?.emit($0, isolation: $1) },
        drop: { box.value = nil })
    case .observed:
      let box = Box(Observed(0, label: "source"))
      return Subject(
        source: Box(box.value!.map(\.new)), event: { nil }, emit: { box.value?.set($0, isolation: $1) },
        drop: { box.value = nil })
    case .derived:
      let box = Box(Observed(0, label: "source"))
      let derived = box.value!.map { $0 }
      return Subject(
        source: Box(derived.map(\.new)), event: { nil }, emit: { box.value?.set($0, isolation: $1) },
        drop: { box.value = nil })
    }
  }
}

struct Subject: Sendable {
  /// Taken out once.
  let source: Box<any EventSource<Int>>
  let event: @Sendable () -> Event<Int>?
  let emit: @Sendable (Int, isolated (any Actor)?) -> Void
  let drop: @Sendable () -> Void
}
