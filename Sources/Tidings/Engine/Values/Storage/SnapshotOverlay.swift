/// Which of many each node is. One type of dictionary for all uses: each other one would be 2 KB of every client.
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
  /// Forgotten ones among them.
  private var all = RawStack<Kept>()
  private var live = 0
  var isEmpty: Bool { live == 0 }
  subscript(node: NodePointer) -> Entry? { isEmpty ? nil : places[node].flatMap { all[$0].entry } }

  /// Gives back an own version that this replaces.
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
  /// Those that are no node's, and are not what a value in a cycle keeps.
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
