import Tidings

/// An item that travels from a source through the operators to a handler.
struct FuzzItem: Sendable {
  /// The emission; negative: a value with which `startWith` begins.
  let value: Int
  /// `old` of a change.
  var old: Int?
  /// The value with which `zip` paired it.
  var partner: Int?
  /// How many values `scan` had taken up, this one included.
  var ordinal: Int?

  func paired(with partner: FuzzItem) -> FuzzItem {
    var pair = self
    pair.partner = partner.value
    return pair
  }

  func counted(after last: FuzzItem) -> FuzzItem {
    var counted = self
    counted.ordinal = (last.ordinal ?? 0) + 1
    return counted
  }
}

extension FuzzChain {
  /// The source's values behind the operators. A first `share` or `replay` is the one that all handlers of the source have in common.
  func over(_ source: FuzzSource, _ other: FuzzSource?) -> AnyEventSource<FuzzItem>? {
    var rest = steps[...]
    var items = source.items
    if let first = rest.first, let pooled = source.pooled(first) {
      items = pooled
      rest = rest.dropFirst()
    }
    for step in rest { items = items.flatMap { Self.apply(step, to: $0, other) } }
    return items
  }

  private static func apply(
    _ step: Step, to items: AnyEventSource<FuzzItem>, _ other: FuzzSource?
  ) -> AnyEventSource<FuzzItem>? {
    switch step {
    case .map: items.map { $0 }
    case .filter: items.filter { passes($0.value) }
    case .scan: items.scan(FuzzItem(value: -1)) { $1.counted(after: $0) }
    case .prefix: items.prefix(prefixLength)
    case .startWith: items.startWith(FuzzItem(value: beginnings[0]), FuzzItem(value: beginnings[1]))
    case .merge: other?.items.map { items.merge($0) }
    case .zip: other?.items.map { items.zip($0).map { $0.0.paired(with: $0.1) } }
    case .share: items.share()
    case .replay: items.replay(replayCount)
    case .flatMapLatest: items.flatMapLatest { SingleValue(item: $0) }
    case .wait: waiting(on: items)
    }
  }

  /// Made as the operators with a clock are: each value waits in a task, here for some turns of the task pool.
  private static func waiting(on items: AnyEventSource<FuzzItem>) -> AnyEventSource<FuzzItem> {
    .waiting(on: items) {
      (
        receive: { ($0, { false }) },
        wait: { item, _ in
          for _ in 0..<abs(item.value) % 4 { await Task.yield() }
          return item
        }, wake: {}, end: {}
      )
    }
  }
}

/// A source of which each handler receives one value when it is attached.
private struct SingleValue: EventSource {
  let item: FuzzItem
  func attach(_ handler: EventHandler<FuzzItem>) -> Subscription { Event<FuzzItem>().startWith(item).attach(handler) }
}
