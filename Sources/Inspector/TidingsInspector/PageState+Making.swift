#if Inspector
import Foundation
import TidingsRegistry

extension PageState {
  /// The part of a sample that a page asks for. Values are turned into text here, for what is shown alone.
  init(_ sample: Sample, _ query: Query, _ monitor: Monitor) {
    let matching = query.rows(of: sample)
    let offset = min(max(0, query.offset), max(0, matching.count - 1))
    let shown = matching[offset..<min(matching.count, offset + min(max(1, query.limit), 500))]
    let selected = sample.row(query.selected)
    let part = GraphPart(of: sample, around: selected?.object.number, monitor.registry.log)
    let texts = monitor.texts(
      of: Set(shown.map(\.object.number) + part.rows.map(\.object.number) + [query.selected]))

    process = ProcessInfo.processInfo.processIdentifier
    program = ProcessInfo.processInfo.processName
    areValuesHidden = monitor.values == .hidden
    self.sample = sample.number
    count = sample.rows.count
    kinds = sample.rows.reduce(into: [:]) { $0[$1.object.kind.rawValue, default: 0] += 1 }
    self.matching = matching.count
    self.offset = offset
    rows = shown.map { Row($0, texts) }
    detail = selected.map { Detail($0, sample, texts) }
    graph = Graph(part, texts)
    warnings = sample.warnings.prefix(50).map {
      Notice(kind: $0.kind.rawValue, title: $0.title, detail: $0.detail, object: $0.object)
    }
    timeline = Moment.latest(60, in: sample, monitor.registry.log)
  }
}

extension PageState.Row {
  init(_ row: Sample.Row, _ texts: [UInt: String]) {
    let object = row.object
    id = object.number
    kind = object.kind.rawValue
    name = object.name
    place = object.site
    type = typeName(object)
    value = texts[object.number]
    isStale = object.isStale
    total = object.deliveries
    rate = (row.rate * 10).rounded() / 10
    history = row.history
    waiting = object.waiting
    dropped = object.dropped
    handlers = object.handlers.count
    mean = (row.mean / 100).rounded() / 10
    slowest = Double(row.slowest / 100) / 10
  }
}

extension PageState.Detail {
  init(_ row: Sample.Row, _ sample: Sample, _ texts: [UInt: String]) {
    let object = row.object
    self.row = PageState.Row(row, texts)
    var places: [String: PageState.Handlers] = [:]
    for handler in object.handlers { places[handler.site, default: .init(place: handler.site)].add(handler) }
    handlers = places.values.sorted { ($1.time, $0.place) < ($0.time, $1.place) }
    reads = object.dependencies.compactMap { sample.row($0).map { PageState.Link($0.object) } }
    readBy = sample.rows.filter { $0.object.dependencies.contains(object.number) }.map { PageState.Link($0.object) }
    streams = sample.rows.filter { $0.object.source == object.number }.map { PageState.Link($0.object) }
    computations = object.computations
    unchanged = object.unchangedComputations
  }
}

extension PageState.Link {
  init(_ object: ObjectSnapshot) {
    id = object.number
    name = object.name
    kind = object.kind.rawValue
  }
}

extension PageState.Handlers {
  mutating func add(_ handler: HandlerSnapshot) {
    count += 1
    if handler.isPaused { paused += 1 }
    calls += handler.calls
    waiting += handler.waiting
    dropped += handler.dropped
    time += handler.nanoseconds
    slowest = max(slowest, handler.slowest)
  }
}

extension PageState.Graph {
  init(_ part: GraphPart, _ texts: [UInt: String]) {
    nodes = part.rows.map { row in
      PageState.Node(
        id: row.object.number, name: row.object.name, kind: row.object.kind.rawValue,
        value: row.object.hasValue ? texts[row.object.number] : nil, isStale: row.object.isStale,
        isLit: part.lit.contains(row.object.number))
    }
    edges = part.edges.map { from, to in
      PageState.Edge(from: from, to: to, isLit: part.lit.contains(from) && part.lit.contains(to))
    }
    hidden = part.hidden
  }
}

extension PageState.Moment {
  static func latest(_ limit: Int, in sample: Sample, _ log: ActivityLog) -> [PageState.Moment] {
    var owners: [UInt: Sample.Row] = [:]
    for row in sample.rows { if let list = row.object.list { owners[list] = row } }
    let now = ContinuousClock.now
    return log.latest(limit).compactMap { entry in
      let row: Sample.Row?
      var (what, cause) = ("", nil as Sample.Row?)
      switch entry.activity {
      case .call(let handler, let list, let source):
        row = owners[list]
        cause = owners[source]
        what = row?.object.handlers.first { $0.number == handler }.map { "handler at " + $0.site } ?? "a handler"
      case .computation(let number, let isChanged):
        row = sample.row(number)
        what = isChanged ? "recomputed" : "recomputed, unchanged"
      }
      guard let row else { return nil }
      return PageState.Moment(
        number: entry.number, ago: (now - entry.start).seconds * 1000, micros: Double(entry.nanoseconds) / 1000,
        id: row.object.number, name: row.object.name, what: what, cause: cause?.object.name,
        causeID: cause?.object.number)
    }
  }
}
#endif
