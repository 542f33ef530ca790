import Harness

/// The cost of setting a value, of reading it, and of setting several values as one. Handlers receive the old and the new value,
/// and add both.
enum ObservedRows {
  static func rows() -> [Row] {
    let contenders: [any ValueContender.Type] = [
      ClosureArrayOfChanges.self, ObservedValue.self, CurrentValueSubjectPeer.self,
    ]
    func row(_ name: String, _ family: String, _ size: Int? = nil, _ trial: (any ValueContender.Type) -> Trial) -> Row {
      Row(
        name, family: family, size: size, axis: size.map { _ in "handlers" }, floor: ClosureArrayOfChanges.name,
        contenders.map(trial))
    }
    // Before each payload comes the one that is less by one.
    let both: (Int) -> Int = { 2 &* $0 &- 1 }
    return [0, 1, 10].map { handlers in
      row(RowName.set(handlers), "set", handlers) { contender in
        .loop(contender.name, receives: { handlers &* both($0) }, { contender.set(handlers, $0) })
      }
    } + [
      row(RowName.update, "update") { .loop($0.name, receives: both, $0.update) },
      row(RowName.read, "read") { .loop($0.name, receives: { _ in 7 }, $0.read) },
      row(RowName.setFour, "set four") { .loop($0.name, receives: { 10 &* both($0) }, $0.setFour) },
    ]
  }
}
