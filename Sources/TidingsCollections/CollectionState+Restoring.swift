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

extension ArrayState {
  /// Goes back to a state that led to this one: the edits since then are taken back, one by one, except those that were taken back
  /// before. Replaces the array as a whole if they are not known.
  fileprivate static func restore(_ old: ArrayState, in state: inout ArrayState) {
    guard let edits: [ArrayEdit<Element>] = state.log.batches(since: old.log.id)?.withoutDetours.arrayEdits() else {
      state = old.withoutHistory
      return
    }
    edit(&state) { editor in
      for edit in edits.reversed() { edit.revert(in: &editor) }
      editor.recording.note(restored: old.log.id)
    }
  }
}

extension DictionaryState {
  /// As for an array.
  fileprivate static func restore(_ old: DictionaryState, in state: inout DictionaryState) {
    guard
      let edits: [DictionaryEdit<Key, Element>] = state.log.batches(since: old.log.id)?.withoutDetours.dictionaryEdits()
    else {
      state = old.withoutHistory
      return
    }
    edit(&state) { editor in
      for edit in edits.reversed() { editor[edit.key] = edit.old }
      editor.recording.note(restored: old.log.id)
    }
  }
}

extension ObservedArray: RestorableSource {
  /// How a `History` records and restores the array: an undo is the reverse of the edits, as an edit.
  public var restoration: Restoration {
    Restoration(state) { [state] old, isolation in
      state.update(isolation: isolation) { ArrayState.restore(old, in: &$0) }
    }
  }
}

extension ObservedDictionary: RestorableSource {
  /// How a `History` records and restores the dictionary: an undo is the reverse of the edits, as an edit.
  public var restoration: Restoration {
    Restoration(state) { [state] old, isolation in
      state.update(isolation: isolation) { DictionaryState.restore(old, in: &$0) }
    }
  }
}
