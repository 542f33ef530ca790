/// Which of many each node is. One type of dictionary for all uses: each other one would be 2 KB of every client.
typealias Places = [NodePointer: Int]

/// Values that are right for one pin of one thread and for no other.
struct SnapshotOverlay {
  struct Entry: BitwiseCopyable {
    let record: RecordPointer
    let version: UInt
  }
  private struct Kept: BitwiseCopyable {
    let node: NodePointer
    var entry: Entry?
    var ownRecord: RecordPointer? { entry?.record }
  }
  private var places: Places = [:]
  /// Forgotten ones among them.
  private var all = RawStack<Kept>()
  private var live = 0
  var isEmpty: Bool { live == 0 }
  subscript(node: NodePointer) -> Entry? { isEmpty ? nil : places[node].flatMap { all[$0].entry } }

  /// Gives back an own record that this replaces.
  mutating func keep(_ entry: Entry, for node: NodePointer) -> RecordPointer? {
    guard let place = places[node] else {
      places[node] = all.count
      all.push(Kept(node: node, entry: entry))
      live += 1
      return nil
    }
    let old = all[place]
    if old.entry == nil { live += 1 }
    all[place] = Kept(node: node, entry: entry)
    return old.ownRecord
  }
  mutating func forget(_ node: NodePointer) -> RecordPointer? {
    guard let place = places[node], all[place].entry != nil else { return nil }
    let old = all[place]
    all[place] = Kept(node: node, entry: nil)
    live -= 1
    if isEmpty { end() }
    return old.ownRecord
  }
  /// Those that are no node's, and are not what a value in a cycle keeps.
  mutating func takePrivate(but head: NodePointer) -> [(node: NodePointer, record: RecordPointer)] {
    var taken: [(node: NodePointer, record: RecordPointer)] = []
    for place in 0..<all.count {
      let kept = all[place]
      guard kept.node != head, let entry = kept.entry, entry.version == Context.ofPin else { continue }
      taken.append((kept.node, entry.record))
      all[place] = Kept(node: kept.node, entry: nil)
      live -= 1
    }
    if isEmpty { end() }
    return taken
  }
  mutating func takeAll() -> [(node: NodePointer, record: RecordPointer)] {
    if all.isEmpty { return [] }
    defer { end() }
    return (0..<all.count).compactMap { place in all[place].ownRecord.map { (all[place].node, $0) } }
  }
  private mutating func end() {
    all.free()
    self = SnapshotOverlay()
  }
}
