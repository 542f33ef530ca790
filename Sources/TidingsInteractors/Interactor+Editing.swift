import Tidings

// The questions and events of the control, and how it follows the property.
//
// There are two directions, which never meet. A person's edit passes from the control to the draft and on to the property. A
// change of the property passes to the draft and on to the control. `follow` and `show` never write the property, and
// showing a text makes the control emit no event.
extension Interactor {
  /// Whether the control may make this edit by itself.
  func answer(_ edit: TextEdit) -> Bool {
    // A text that an input method is composing is not final. When it is, the control emits that it has changed.
    if control.isComposing {
      composition = composition ?? EditedText(control.text, selection: edit.range)
      return true
    }
    let plain = EditedText.applying(edit, to: control.text)
    if composition != nil {
      if settle(plain) { control.didChange.emit() }
      return false
    }
    var edit = edit
    // Few text systems report which key deletes. A deleted range after the caret means forward.
    let caret = edit.range.lowerBound
    if control.selection == caret..<caret { edit.direction = .forward }
    guard case .success(let edited) = make(edit, of: control.text) else { return false }
    return accept(edited, insteadOf: plain)
  }

  func answerClearing() -> Bool { answer(TextEdit(replacing: 0..<control.text.count, with: "")) }

  /// Puts an edit to the format.
  private func make(_ edit: TextEdit, of text: String) -> Result<EditedText, InputRejection> {
    do throws(InputRejection) {
      let edited = try format.edit(edit, of: text)
      doubts.update { $0.follow(edit, of: text) }
      return .success(edited)
    } catch {
      reject(edit, of: text, error)
      return .failure(error)
    }
  }

  /// Applies the format's result for an edit. If it differs from what the control would do by itself, it is shown here.
  private func accept(_ edited: EditedText, insteadOf plain: EditedText) -> Bool {
    if edited == plain { return true }
    control.show(edited)
    control.didChange.emit()
    return false
  }

  /// Reports why an edit is rejected. If the text is ambiguous without it, the draft cannot be committed.
  private func reject(_ edit: TextEdit, of text: String, _ error: InputRejection) {
    transaction {
      rejected.set(error)
      doubts.update { [format] in $0.add(error, RejectedEdit(edit, of: text), format) }
      if doubt(of: text) != nil { consider(text) }
    }
  }

  /// Why a text is ambiguous, if it is.
  func doubt(of text: String) -> InputRejection? {
    doubts.value.rejection(of: text, format)
  }

  func answerReturn() -> Bool {
    settle()
    if policy == .explicitly { return true }
    commitIfPossible()
    return objection.value == nil
  }

  /// Called when a person has changed the text.
  func take(_ text: String) {
    // Not every control emits that the editing begins before the first change.
    if control.isEditing { attended.set(true) }
    if control.isComposing {
      // A control that has not asked does not say which part is composed.
      composition = composition ?? EditedText(drafted.value, selection: 0..<drafted.value.count)
      rejected.set(doubt(of: text))
      consider(text)
    } else if composition != nil {
      settle()
    } else {
      take(text, insteadOf: drafted.value, nil)
    }
  }

  /// The draft that was composed was not written yet.
  private func take(
    _ text: String, insteadOf old: String, _ rejection: InputRejection?, wasComposing: Bool = false
  ) {
    if text != old { doubts.update { $0.update(text) } }
    let doubt = doubt(of: text)
    rejected.set(rejection ?? doubt)
    if text != drafted.value || isDoubted != (doubt != nil) || wasComposing { consider(text) }
  }

  /// Passes what an input method has composed to the format, like a paste, and shows what that makes of it.
  ///
  /// - Parameter plain: The text without a format: what the control has, unless it asks for a further edit.
  /// - Returns: Whether it is accepted.
  @discardableResult
  private func settle(_ plain: EditedText? = nil) -> Bool {
    guard let old = composition else { return true }
    let shown = EditedText(control.text, selection: control.selection)
    let result = composed(plain ?? shown, in: old)
    composition = nil
    var settled = old
    var rejection: InputRejection?
    switch result {
    case .success(let edited): settled = edited
    case .failure(let error): rejection = error
    }
    if settled != shown { control.show(settled) }
    take(settled.text, insteadOf: old.text, rejection, wasComposing: true)
    return rejection == nil
  }

  private func composed(_ plain: EditedText, in old: EditedText) -> Result<EditedText, InputRejection> {
    plain.text == old.text ? .success(plain) : make(TextEdit(from: old, to: plain), of: old.text)
  }

  func ended() {
    settle()
    transaction {
      attended.set(false)
      rejected.set(nil)
    }
    if policy != .explicitly { commitIfPossible() }
    if !isEdited.value { showValue() }
    doubts.update { $0.leave() }
    show()
  }

  /// Called when the property has changed, for whatever reason.
  func follow() {
    if isEdited.value {
      // A conflict has come, or is over; or the element was removed, or is back.
      let isHindered = conflict.value != nil || part.isRemoved?.value == true
      if isHindered || objection.value is EditConflict || objection.value is ElementRemoved { consider(drafted.value) }
      return
    }
    attended.value ? objection.set(judge(drafted.value).failure) : showValue()
  }

  /// Makes the formatted value the draft.
  func showValue() {
    composition = nil
    let value = part.value
    let (text, objection) = (format.format(value), objection(to: value))
    transaction {
      doubts.set(Doubts())
      origin.set(value)
      base.set(text)
      drafted.set(text)
      self.objection.set(objection)
    }
  }

  /// Makes the control show the draft. What a person has typed is shown already, and the caret is not moved.
  func show() {
    let text = drafted.value
    if control.text != text { control.show(EditedText(text, caret: text.count)) }
  }
}
