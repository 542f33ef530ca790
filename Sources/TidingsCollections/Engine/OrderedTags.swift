/// A sequence of tags, of which any two are compared in constant time: an order-maintenance structure (Dietz and Sleator).
///
/// Each tag has a label, and the labels ascend along the sequence. An insertion takes a label between those of its
/// neighbours. Where there is none, the labels around are spread over as few tags as have room for them.
struct OrderedTags: Sendable {
  typealias Tag = Int
  private var tags: PersistentArray<Tag>
  private var labels: [UInt64]
  /// The tags that were removed, to be used again.
  private var unused: [Tag] = []

  /// The distance of the first labels, and of what is added at an end.
  private static var spacing: UInt64 { 1 << 32 }
  /// The least distance of labels that have been spread.
  private static var leastSpacing: UInt64 { 1 << 16 }

  /// Makes the tags from 0 on.
  init(count: Int) {
    tags = PersistentArray(Array(0..<count))
    let first = (1 << 63) - Self.spacing / 2 * UInt64(count)
    labels = (0..<UInt64(count)).map { first + Self.spacing * $0 }
  }

  subscript(offset: Int) -> Tag { tags[offset] }
  var array: [Tag] { tags.array }

  func isBefore(_ one: Tag, _ other: Tag) -> Bool { labels[one] < labels[other] }

  /// Inserts a tag that is not in the sequence.
  mutating func insert(at offset: Int) -> Tag {
    let label = newLabel(at: offset)
    let tag = unused.popLast() ?? labels.count
    if tag == labels.count { labels.append(label) } else { labels[tag] = label }
    tags.insert(tag, at: offset)
    return tag
  }

  mutating func remove(at offset: Int) { unused.append(tags.remove(at: offset)) }

  /// Moves a tag to another offset, counted after its removal.
  mutating func move(from: Int, to: Int) {
    let tag = tags.remove(at: from)
    labels[tag] = newLabel(at: to)
    tags.insert(tag, at: to)
  }

  private mutating func newLabel(at offset: Int) -> UInt64 {
    while true {
      let (low, high) = gap(around: offset..<offset)
      let half = (high - low) / 2
      if half == 0 {
        spread(around: offset)
      } else if offset == tags.count {
        return low + min(half, Self.spacing)
      } else {
        return high - (offset == 0 ? min(half, Self.spacing) : half)
      }
    }
  }
  /// The labels before and after a range of offsets.
  private func gap(around range: Range<Int>) -> (low: UInt64, high: UInt64) {
    (
      range.lowerBound == 0 ? 0 : labels[tags[range.lowerBound - 1]],
      range.upperBound == tags.count ? .max : labels[tags[range.upperBound]]
    )
  }
  private mutating func spread(around offset: Int) {
    var reach = 16
    while true {
      let range = max(0, offset - reach)..<min(tags.count, offset + reach)
      let (low, high) = gap(around: range)
      let distance = (high - low) / UInt64(range.count + 1)
      // All labels together have room for more tags than memory has.
      if distance >= Self.leastSpacing {
        for (number, offset) in range.enumerated() { labels[tags[offset]] = low + distance * UInt64(number + 1) }
        return
      }
      reach *= 2
    }
  }
}
