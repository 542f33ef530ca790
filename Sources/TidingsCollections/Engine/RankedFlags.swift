/// A sequence of flags with rank queries in O(log *n*): how many flags are set before an offset.
///
/// A tree of words of at most 64 flags. Each node stores its number of flags, and of those that are set.
struct RankedFlags: Sendable {
  fileprivate struct Node: Sendable {
    var count = 0
    var set = 0
    /// The flags of a leaf, from the lowest bit.
    var bits: UInt64 = 0
    /// The nodes of the level below; none in a leaf.
    var children: [Node] = []

    init() {}
    init(flags: some Collection<Bool>) {
      for flag in flags {
        if flag { bits |= 1 << UInt64(count) }
        count += 1
      }
      set = bits.nonzeroBitCount
    }
    init(children: some Collection<Node>) {
      self.children = Array(children)
      for child in children {
        count += child.count
        set += child.set
      }
    }
  }
  fileprivate static var width: Int { 32 }
  private var root = Node()

  init(_ flags: [Bool]) {
    var nodes = stride(from: 0, to: flags.count, by: 48).map { start in
      Node(flags: flags[start..<min(start + 48, flags.count)])
    }
    while nodes.count > 1 {
      nodes = stride(from: 0, to: nodes.count, by: 24).map { start in
        Node(children: nodes[start..<min(start + 24, nodes.count)])
      }
    }
    if let node = nodes.first { root = node }
  }

  var array: [Bool] {
    var flags: [Bool] = []
    flags.reserveCapacity(root.count)
    root.append(to: &flags)
    return flags
  }

  /// - Returns: How many flags are set before it.
  mutating func insert(_ flag: Bool, at offset: Int) -> Int {
    let (rank, next) = root.insert(flag, at: offset)
    if let next { root = Node(children: [root, next]) }
    return rank
  }

  /// - Returns: The flag, and how many flags are set before it.
  mutating func remove(at offset: Int) -> (flag: Bool, rank: Int) {
    defer { while root.children.count == 1 { root = root.children[0] } }
    return root.remove(at: offset)
  }

  /// - Returns: The flag before, and how many flags are set before it.
  mutating func set(_ flag: Bool, at offset: Int) -> (flag: Bool, rank: Int) { root.assign(flag, at: offset) }
}

extension RankedFlags.Node {
  func append(to flags: inout [Bool]) {
    for child in children { child.append(to: &flags) }
    if children.isEmpty { for offset in 0..<count { flags.append(bits >> UInt64(offset) & 1 == 1) } }
  }

  private func place(of offset: Int) -> (index: Int, offset: Int, set: Int) {
    var (index, left, set) = (0, offset, 0)
    while index < children.count - 1, left >= children[index].count {
      left -= children[index].count
      set += children[index].set
      index += 1
    }
    return (index, left, set)
  }
  /// The bits below an offset.
  private func mask(_ offset: Int) -> UInt64 { offset == 64 ? .max : (1 << UInt64(offset)) - 1 }

  mutating func insert(_ flag: Bool, at offset: Int) -> (rank: Int, next: Self?) {
    if children.isEmpty { return insertBit(flag, at: offset) }
    let (index, left, set) = place(of: offset)
    let (rank, next) = children[index].insert(flag, at: left)
    count += 1
    self.set += flag ? 1 : 0
    guard let next else { return (set + rank, nil) }
    children.insert(next, at: index + 1)
    if children.count <= RankedFlags.width { return (set + rank, nil) }
    let all = children
    self = Self(children: all.prefix(all.count / 2))
    return (set + rank, Self(children: all.dropFirst(all.count / 2)))
  }
  private mutating func insertBit(_ flag: Bool, at offset: Int) -> (rank: Int, next: Self?) {
    if count == 64 {
      var next = Self()
      (next.count, next.bits) = (32, bits >> 32)
      (count, bits) = (32, bits & mask(32))
      (next.set, set) = (next.bits.nonzeroBitCount, bits.nonzeroBitCount)
      let rank = offset <= 32 ? insertBit(flag, at: offset).rank : set + next.insertBit(flag, at: offset - 32).rank
      return (rank, next)
    }
    let low = bits & mask(offset)
    bits = low | (bits & ~mask(offset)) << 1 | (flag ? 1 << UInt64(offset) : 0)
    count += 1
    set += flag ? 1 : 0
    return (low.nonzeroBitCount, nil)
  }

  mutating func remove(at offset: Int) -> (flag: Bool, rank: Int) {
    if children.isEmpty {
      let (flag, low) = (bits >> UInt64(offset) & 1 == 1, bits & mask(offset))
      bits = low | (bits >> 1 & ~mask(offset))
      count -= 1
      set -= flag ? 1 : 0
      return (flag, low.nonzeroBitCount)
    }
    let (index, left, set) = place(of: offset)
    let (flag, rank) = children[index].remove(at: left)
    count -= 1
    self.set -= flag ? 1 : 0
    if children[index].isSmall { mergeChild(index) }
    return (flag, set + rank)
  }
  private var isSmall: Bool { children.isEmpty ? count < 16 : children.count < RankedFlags.width / 4 }
  /// Merges a small child with a neighbor, unless there is no room.
  private mutating func mergeChild(_ index: Int) {
    let first = index == 0 ? 0 : index - 1
    if first + 1 == children.count { return }
    let (one, other) = (children[first], children[first + 1])
    if one.children.isEmpty {
      if one.count + other.count > 64 { return }
      children[first].bits = one.count == 64 ? one.bits : one.bits | other.bits << UInt64(one.count)
      children[first].count += other.count
      children[first].set += other.set
    } else {
      if one.children.count + other.children.count > RankedFlags.width { return }
      children[first] = Self(children: one.children + other.children)
    }
    children.remove(at: first + 1)
  }

  mutating func assign(_ flag: Bool, at offset: Int) -> (flag: Bool, rank: Int) {
    if children.isEmpty {
      let (old, low) = (bits >> UInt64(offset) & 1 == 1, bits & mask(offset))
      if flag != old { bits ^= 1 << UInt64(offset) }
      set = bits.nonzeroBitCount
      return (old, low.nonzeroBitCount)
    }
    let (index, left, set) = place(of: offset)
    let (old, rank) = children[index].assign(flag, at: left)
    self.set += (flag ? 1 : 0) - (old ? 1 : 0)
    return (old, set + rank)
  }
}
