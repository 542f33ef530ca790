public import Tidings

extension ArrayEdit {
  /// Takes the edit back, in the array as it was after the edit.
  fileprivate func revert(in elements: inout ArrayEditor<Element>) {
    switch self {
    case .insert(_, let offset): elements.remove(at: offset)
    case .remove(let element, let offset): elements.insert(element, at: offset)
    case .replace(let old, _, let offset): elements[offset] = old
    case .move(_, let from, let to): elements.move(from: to, to: from)
    }
  }
}

extension CollectionState {
  /// Goes back to a state that led to this one: the edits since then are taken back, one by one. Replaces the collection as a whole
  /// if they are not known.
  fileprivate mutating func restore(_ old: Self, _ revert: (Editor.Edit, inout Editor) -> Void) {
    guard let edits = log.edits(since: old.log.id) else {
      (elements, log) = (old.elements, EditLog())
      return
    }
    edit { editor in
      for edit in edits.reversed() { revert(edit, &editor) }
    }
  }
}

extension ObservedArray: RestorableSource {
  /// How a `History` records and restores the array: an undo is the reverse of the edits, as an edit.
  public var restoration: Restoration {
    Restoration(state) { [state] old, isolation in
      state.update(isolation: isolation) { state in state.restore(old) { $0.revert(in: &$1) } }
    }
  }
}

extension ObservedDictionary: RestorableSource {
  /// How a `History` records and restores the dictionary: an undo is the reverse of the edits, as an edit.
  public var restoration: Restoration {
    Restoration(state) { [state] old, isolation in
      state.update(isolation: isolation) { state in state.restore(old) { $1[$0.key] = $0.old } }
    }
  }
}
