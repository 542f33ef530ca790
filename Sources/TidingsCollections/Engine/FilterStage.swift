final class FilterStage<Element: Sendable>: Stage {
  private(set) var output: ArrayState<Element>
  private let predicate: @Sendable (Element) -> Bool
  /// Which elements of the input are in the output.
  private var flags: RankedFlags

  init(_ input: PersistentArray<Element>, _ predicate: @escaping @Sendable (Element) -> Bool) {
    var (flags, included): ([Bool], [Element]) = ([], [])
    input.forEachLeaf { leaf in
      for element in leaf {
        flags.append(predicate(element))
        if flags.last == true { included.append(element) }
      }
    }
    (self.predicate, self.flags) = (predicate, RankedFlags(flags))
    output = ArrayState(PersistentArray(included))
  }

  override func follow(_ batch: EditBatch) -> Bool {
    var editor = output.editor
    let isFollowed = batch.allSatisfy(ArrayEdit<Element>.self) { edit in
      switch edit {
      case .insert(let element, let offset):
        let isIncluded = predicate(element)
        let rank = flags.insert(isIncluded, at: offset)
        if isIncluded { editor.insert(element, at: rank) }
      case .remove(_, let offset):
        let (wasIncluded, rank) = flags.remove(at: offset)
        if wasIncluded { editor.remove(at: rank) }
      case .replace(_, let new, let offset):
        let isIncluded = predicate(new)
        let (wasIncluded, rank) = flags.set(isIncluded, at: offset)
        switch (wasIncluded, isIncluded) {
        case (true, true): editor[rank] = new
        case (true, false): editor.remove(at: rank)
        case (false, true): editor.insert(new, at: rank)
        case (false, false): break
        }
      case .move(_, let from, let to):
        let (isIncluded, rank) = flags.remove(at: from)
        let newRank = flags.insert(isIncluded, at: to)
        if isIncluded { editor.move(from: rank, to: newRank) }
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }
}
