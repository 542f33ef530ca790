/// The tables of the page *Contract*, made of what the library does.
enum Table {
  static func print() {
    rows(["handler", "`.serial`", "`.immediate`", "`Observed`", "`Derived`"]) { kind in
      [.serial, .immediate, .observed, .derived].map { beginning(of: kind, $0) }
    }
    Swift.print("")
    rows([
      "handler, of what waits for it", "`cancel()`, `cancelAll()`", "`pause()`", "`finish()`, `deinit`", "`drained()`",
    ]) { kind in
      [
        fate(kind, .cancel) == fate(kind, .cancelAll) ? fate(kind, .cancel) : "differs", fate(kind, .pause),
        fate(kind, .finish) == fate(kind, .releaseSource) ? fate(kind, .finish) : "differs", awaiting(kind),
      ]
    }
  }

  /// A row for each kind of handler; those that are alike share one.
  private static func rows(_ head: [String], _ cells: (HandlerKind) -> [String]) {
    Swift.print("| " + head.joined(separator: " | ") + " |")
    Swift.print(String(repeating: "|---", count: head.count) + "|")
    var (names, seen): ([[String]], [[String]]) = ([], [])
    for kind in HandlerKind.allCases {
      guard let name = kind.title else { continue }
      let row = cells(kind)
      if let known = seen.firstIndex(of: row) {
        names[known].append(name)
      } else {
        (names, seen) = (names + [[name]], seen + [row])
      }
    }
    for (names, row) in zip(names, seen) {
      Swift.print("| " + ([names.joined(separator: ", ")] + row).joined(separator: " | ") + " |")
    }
  }
  private static func world(_ kind: HandlerKind, _ source: SourceKind = .serial) -> World {
    let world = World(Cell(source: source, chain: [], handler: kind, act: .emit, moment: .quiet))
    world.run()
    return world
  }

  /// Returns how a value comes to the handler, and how one that the handler emits does.
  private static func beginning(of kind: HandlerKind, _ source: SourceKind) -> String {
    let world = world(kind, source)
    defer { _ = world.end() }
    world.arm(.emit)
    world.emit(isolation: nil)
    let entries = world.journal.current.entries[0]
    if entries.isEmpty { return kind.place == .stream ? "into its buffer" : "through its queue" }
    if kind.isOnce { return "in place, once" }
    if case .begin = entries[1] { return "in place, nested values in it" }
    return "in place, nested values after it"
  }
  /// Returns the fate of values that wait.
  private static func fate(_ kind: HandlerKind, _ act: Act) -> String {
    let world = world(kind)
    defer { _ = world.end() }
    for _ in 0..<2 { world.emit(isolation: nil) }
    if !world.journal.current.entries[0].isEmpty { return "nothing waits" }
    world.perform(act)
    world.run()
    return world.journal.current.entries[0].isEmpty ? "dropped" : "delivered"
  }
  private static func awaiting(_ kind: HandlerKind) -> String {
    let world = world(kind)
    defer { _ = world.end() }
    for _ in 0..<2 { world.emit(isolation: nil) }
    if !world.journal.current.entries[0].isEmpty { return "nothing waits" }
    world.perform(.drained)
    return world.journal.current.returned.isEmpty ? "waits" : "does not wait"
  }
}

extension HandlerKind {
  /// Its name in the tables; nil for a kind that differs from another in the test alone.
  fileprivate var title: String? {
    switch self {
    case .plain: "plain"
    case .owner: "with an owner"
    case .throwing: "with `onError`"
    case .once: "`once`"
    case .onGlobalActor: "on a global actor"
    case .onOwnerActor: "on an actor that owns it"
    case .onceOnActor: "`once` on an actor"
    case .queue: "on a delivery target"
    case .async: "asynchronous"
    case .asyncNewest: "bounded asynchronous"
    case .asyncOnActor: "asynchronous on an actor"
    case .asyncOnce: "asynchronous `once`"
    case .stream: "stream"
    case .streamNewest: "bounded stream"
    default: nil
    }
  }
}
