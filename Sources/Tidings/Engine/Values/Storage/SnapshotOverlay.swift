/// The index of each node in a list. All uses share one dictionary type: each further type would add 2 KB to every client.
typealias Places = [NodePointer: Int]

/// Values that are right for one pin of one thread and for no other.
struct SnapshotOverlay {
  struct Entry: BitwiseCopyable {
    let version: VersionPointer
    let number: UInt
  }
  private struct Kept: BitwiseCopyable {
    let node: NodePointer
    var entry: Entry?
    var ownVersion: VersionPointer? { entry?.version }
  }
  private var places: Places = [:]
  /// Includes forgotten values, whose `entry` is nil.
  private var all = RawStack<Kept>()
  private var live = 0
  var isEmpty: Bool { live == 0 }
  subscript(node: NodePointer) -> Entry? { isEmpty ? nil : places[node].flatMap { all[$0].entry } }

  /// Stores a value. Returns the version that it replaces, if any.
  mutating func keep(_ entry: Entry, for node: NodePointer) -> VersionPointer? {
    guard let place = places[node] else {
      places[node] = all.count
      all.push(Kept(node: node, entry: entry))
      live += 1
      return nil
    }
    let old = all[place]
    if old.entry == nil { live += 1 }
    all[place] = Kept(node: node, entry: entry)
    return old.ownVersion
  }
  mutating func forget(_ node: NodePointer) -> VersionPointer? {
    guard let place = places[node], all[place].entry != nil else { return nil }
    let old = all[place]
    all[place] = Kept(node: node, entry: nil)
    live -= 1
    if isEmpty { clear() }
    return old.ownVersion
  }
  /// Removes and returns the values that belong to this pin alone, except that of `head`, which a value in a cycle keeps.
  mutating func takePrivate(but head: NodePointer) -> [(node: NodePointer, version: VersionPointer)] {
    var taken: [(node: NodePointer, version: VersionPointer)] = []
    for place in 0..<all.count {
      let kept = all[place]
      guard kept.node != head, let entry = kept.entry, entry.number == Context.ofPin else { continue }
      taken.append((kept.node, entry.version))
      all[place] = Kept(node: kept.node, entry: nil)
      live -= 1
    }
    if isEmpty { clear() }
    return taken
  }
  mutating func takeAll() -> [(node: NodePointer, version: VersionPointer)] {
    if all.isEmpty { return [] }
    defer { clear() }
    return (0..<all.count).compactMap { place in all[place].ownVersion.map { (all[place].node, $0) } }
  }
  private mutating func clear() {
    all.free()
    self = SnapshotOverlay()
  }
}
