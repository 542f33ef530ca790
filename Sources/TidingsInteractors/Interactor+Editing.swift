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
    if control.isComposing { return true }
    let text = control.text
    var edit = edit
    // Few text systems report which key deletes. A deleted range after the caret means forward.
    let caret = edit.range.lowerBound
    if control.selection == caret..<caret { edit.direction = .forward }
    do throws(InputRejection) {
      let edited = try format.edit(edit, of: text)
      doubts.update { [edit] in $0.follow(edit, of: text) }
      return accept(edited, insteadOf: .applying(edit, to: text))
    } catch {
      reject(edit, of: text, error)
      return false
    }
  }

  func answerClearing() -> Bool {
    let text = control.text
    do throws(InputRejection) {
      let edit = TextEdit(replacing: 0..<text.count, with: "")
      return accept(try format.edit(edit, of: text), insteadOf: EditedText("", caret: 0))
    } catch {
      rejected.set(error)
      return false
    }
  }

  /// Applies the format's result for an edit. If it differs from what the control would do by itself, it is shown here.
  private func accept(_ edited: EditedText, insteadOf plain: EditedText) -> Bool {
    if edited == plain { return true }
    control.show(edited)
    control.didChange.emit()
    return false
  }

  /// Tells why an edit is rejected. If the text is ambiguous without it, the draft cannot be committed.
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
    if policy == .explicitly { return true }
    commitIfPossible()
    return objection.value == nil
  }

  /// Called when a person has changed the text.
  func take(_ text: String) {
    if text != drafted.value { doubts.update { $0.update(text) } }
    let doubt = doubt(of: text)
    rejected.set(doubt)
    // Not every control emits that the editing begins before the first change.
    if control.isEditing { attended.set(true) }
    if text != drafted.value || isDoubted != (doubt != nil) {
      consider(text)
    } else if writesImmediately {
      // An input method has composed the text.
      commitIfPossible()
    }
  }

  func ended() {
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
    if isEdited.value { return }
    attended.value ? objection.set(judge(drafted.value).failure) : showValue()
  }

  /// Makes the formatted value the draft.
  func showValue() {
    let value = part.value
    let (text, objection) = (format.format(value), objection(to: value))
    transaction {
      doubts.set(Doubts())
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
