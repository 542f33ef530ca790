import Tidings

// What the control asks and tells, and how it follows the property.
//
// Two directions that never meet: what a person does goes from the control to the draft and on to the property; what the
// property does goes to the draft and on to the control. `follow` and `show` never write the property, and showing a text
// makes the control tell nobody.
extension Interactor {
  /// May the control make this edit by itself?
  func answer(_ edit: TextEdit) -> Bool {
    // What an input method puts together is no text yet. When it is, the control tells that it has changed.
    if control.isComposing { return true }
    let text = control.text
    var edit = edit
    // Few text systems tell which key deletes. Behind the caret lies what is deleted forward.
    let caret = edit.range.lowerBound
    if control.selection == caret..<caret { edit.direction = .forward }
    do throws(Refusal) {
      return accept(try format.edit(edit, of: text), insteadOf: .applying(edit, to: text))
    } catch {
      refused.set(error)
      return false
    }
  }

  func answerClearing() -> Bool {
    let text = control.text
    do throws(Refusal) {
      let edit = TextEdit(replacing: 0..<text.count, with: "")
      return accept(try format.edit(edit, of: text), insteadOf: EditedText("", caret: 0))
    } catch {
      refused.set(error)
      return false
    }
  }

  /// What the format makes of an edit. If it is more than the control would do by itself, it is done here.
  private func accept(_ edited: EditedText, insteadOf plain: EditedText) -> Bool {
    if edited == plain { return true }
    control.show(edited)
    control.didChange.emit()
    return false
  }

  func answerReturn() -> Bool {
    if policy == .explicitly { return true }
    commitIfPossible()
    return objection.value == nil
  }

  /// A person has changed the text.
  func take(_ text: String) {
    refused.set(nil)
    // Not every control tells that the editing begins before something has changed.
    if control.isEditing { attended.set(true) }
    if text != drafted.value {
      consider(text)
    } else if writesAtOnce {
      // An input method has put it together.
      commitIfPossible()
    }
  }

  func ended() {
    transaction {
      attended.set(false)
      refused.set(nil)
    }
    if policy != .explicitly { commitIfPossible() }
    if !isEdited.value { showValue() }
    show()
  }

  /// The property has changed, by whomever.
  func follow() {
    if isEdited.value { return }
    attended.value ? objection.set(objection(to: part.value)) : showValue()
  }

  /// The draft is what the value looks like.
  func showValue() {
    let value = part.value
    let (text, objection) = (format.format(value), objection(to: value))
    transaction {
      base.set(text)
      drafted.set(text)
      self.objection.set(objection)
    }
  }

  /// The control shows the draft. What a person has typed stands there already, and the caret is left alone.
  func show() {
    let text = drafted.value
    if control.text != text { control.show(EditedText(text, caret: text.count)) }
  }
}
