struct FilterStage<Element: Sendable>: ArrayStage {
  private(set) var output: ArrayState<Element>
  /// Which elements of the input are in the output.
  private var isIncluded: RankedFlags

  init(_ input: [Element], _ predicate: (Element) -> Bool) {
    let flags = input.map(predicate)
    isIncluded = RankedFlags(flags)
    output = ArrayState(zip(input, flags).filter(\.1).map(\.0))
  }

  mutating func follow(_ edits: [ArrayEdit<Element>], _ predicate: (Element) -> Bool) -> Bool {
    var flags = isIncluded
    isIncluded = RankedFlags([])
    output.edit { output in
      for edit in edits {
        switch edit {
        case .insert(let element, let offset):
          let isIncluded = predicate(element)
          let rank = flags.insert(isIncluded, at: offset)
          if isIncluded { output.insert(element, at: rank) }
        case .remove(_, let offset):
          let (wasIncluded, rank) = flags.remove(at: offset)
          if wasIncluded { output.remove(at: rank) }
        case .replace(_, let new, let offset):
          let (wasIncluded, rank) = flags.remove(at: offset)
          let isIncluded = predicate(new)
          _ = flags.insert(isIncluded, at: offset)
          switch (wasIncluded, isIncluded) {
          case (true, true): output[rank] = new
          case (true, false): output.remove(at: rank)
          case (false, true): output.insert(new, at: rank)
          case (false, false): break
          }
        case .move(_, let from, let to):
          let (isIncluded, rank) = flags.remove(at: from)
          let newRank = flags.insert(isIncluded, at: to)
          if isIncluded { output.move(from: rank, to: newRank) }
        }
      }
    }
    isIncluded = flags
    return true
  }
}

/// A sequence of flags with fast rank queries (how many flags are set before an offset): each chunk stores its own count.
struct RankedFlags: Sendable {
  private struct Chunk: Sendable {
    var flags: [Bool]
    var set: Int
    init(_ flags: some Sequence<Bool>) {
      self.flags = Array(flags)
      set = self.flags.count { $0 }
    }
  }
  private static var chunkSize: Int { 512 }
  private var chunks: [Chunk] = []

  init(_ flags: [Bool]) {
    for start in stride(from: 0, to: flags.count, by: Self.chunkSize) {
      chunks.append(Chunk(flags[start..<min(start + Self.chunkSize, flags.count)]))
    }
  }

  /// The chunk of an offset, the offset within it, and how many flags are set before the chunk. An offset at the end of a
  /// chunk belongs to it.
  private func place(of offset: Int) -> (chunk: Int, offset: Int, set: Int) {
    var (left, set) = (offset, 0)
    for index in chunks.indices {
      if left < chunks[index].flags.count || index == chunks.count - 1 { return (index, left, set) }
      left -= chunks[index].flags.count
      set += chunks[index].set
    }
    return (0, 0, 0)
  }
  private func rank(_ place: (chunk: Int, offset: Int, set: Int)) -> Int {
    place.set + chunks[place.chunk].flags[..<place.offset].count { $0 }
  }

  /// - Returns: How many flags are set before it.
  mutating func insert(_ flag: Bool, at offset: Int) -> Int {
    if chunks.isEmpty { chunks.append(Chunk([])) }
    let place = place(of: offset)
    let rank = rank(place)
    chunks[place.chunk].flags.insert(flag, at: place.offset)
    if flag { chunks[place.chunk].set += 1 }
    let flags = chunks[place.chunk].flags
    if flags.count > 2 * Self.chunkSize {
      chunks.replaceSubrange(
        place.chunk...place.chunk, with: [Chunk(flags[..<Self.chunkSize]), Chunk(flags[Self.chunkSize...])])
    }
    return rank
  }

  /// - Returns: The flag, and how many flags are set before it.
  mutating func remove(at offset: Int) -> (flag: Bool, rank: Int) {
    let place = place(of: offset)
    let rank = rank(place)
    let flag = chunks[place.chunk].flags.remove(at: place.offset)
    if flag { chunks[place.chunk].set -= 1 }
    if chunks[place.chunk].flags.isEmpty { chunks.remove(at: place.chunk) }
    return (flag, rank)
  }
}
