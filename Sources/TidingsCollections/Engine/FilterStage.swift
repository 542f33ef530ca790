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
    let isFollowed = unsafeDowncast(batch, to: ArrayEditBatch<Element>.self).allSatisfy { edit, elements in
      switch edit.kind {
      case .insert:
        let isIncluded = predicate(elements.pointee)
        let rank = flags.insert(isIncluded, at: edit.offset)
        if isIncluded { editor.insertInPlace(elements.pointee, at: rank) }
      case .remove:
        let (wasIncluded, rank) = flags.remove(at: edit.offset)
        if wasIncluded { _ = editor.removeInPlace(at: rank) }
      case .replace:
        let isIncluded = predicate(elements[1])
        let (wasIncluded, rank) = flags.set(isIncluded, at: edit.offset)
        switch (wasIncluded, isIncluded) {
        case (true, true): editor.replace(rank, with: elements[1])
        case (true, false): _ = editor.removeInPlace(at: rank)
        case (false, true): editor.insertInPlace(elements[1], at: rank)
        case (false, false): break
        }
      case .move:
        let (isIncluded, rank) = flags.remove(at: edit.offset)
        let newRank = flags.insert(isIncluded, at: edit.target)
        if isIncluded { editor.moveInPlace(from: rank, to: newRank) }
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }

  override func become(_ other: Stage) -> Bool {
    let other = unsafeDowncast(other, to: FilterStage.self)
    var (editor, rank, left) = (output.editor, 0, Self.mostEdits(other.output.count))
    for (wasIncluded, isIncluded) in zip(flags.array, other.flags.array) {
      if wasIncluded != isIncluded {
        if left == 0 { return false }
        left -= 1
        if isIncluded {
          editor.insertInPlace(other.output.tree[rank], at: rank)
        } else {
          _ = editor.removeInPlace(at: rank)
        }
      }
      if isIncluded { rank += 1 }
    }
    flags = other.flags
    if let next = output.next(editor) { output = next }
    return true
  }
}
