import Foundation
import Tidings
import TidingsInteractors

/// A decimal in a field, beside the plain account of what it is to show.
@MainActor final class EditingMachine {
  private let property: Observed<Decimal>
  private let field = MemoryTextControl()
  private let interactor: Interactor<Decimal>
  private let recording: Subscription
  private let correcting: Subscription
  private let written = Outcome<[Decimal]>()
  private var plain: PlainInteractor<DecimalFormat>

  private static let formats: [DecimalFormat] = ["en_US", "de_DE", "ar_EG"].flatMap { name in
    let locale = Locale(identifier: name)
    return [
      DecimalFormat(locale: locale), .currency("EUR", locale: locale), .percent(locale: locale),
    ]
  }
  private static let values: [Decimal] = [0, 1, -3, 12.5, 0.125, 1_234_567, 5000, 200_000]
  private static let keys = Array("0123456789.,-'٣٫ ")
  private static let pastes = ["12", "1.234,5", "-0,5", "1,234.5", "", "abc", "0.001", "99999"]

  init(_ bytes: inout ByteReader) {
    let format = Self.formats[bytes.number(below: Self.formats.count)]
    let policy = [CommitPolicy.everyChange, .atEnd, .explicitly][bytes.number(below: 3)]
    let isAllowed: @Sendable (Decimal) -> Bool = { $0 >= -100 }
    let corrected: @Sendable (Decimal) -> Decimal = { $0 > 100_000 ? 100_000 : $0 }
    let property = Observed(Self.values[0])
    self.property = property
    correcting = property.observe { change in
      let right = corrected(change.new)
      if right != change.new { property.set(right) }
    }
    interactor = Interactor(
      property, in: field, as: format, committing: policy, validators: [.require("Not allowed.", isAllowed)])
    let written = written
    recording = property.observe { written.value = (written.value ?? []) + [$0.new] }
    plain = PlainInteractor(format, policy, Self.values[0], isAllowed: isAllowed, corrected: corrected)
  }

  func step(_ bytes: inout ByteReader) {
    (plain.written, written.value) = ([], [])
    operate(&bytes)
    expect(field.text == plain.text, "the field shows '\(field.text)', not '\(plain.text)'")
    expect(property.value == plain.value, "the property is \(property.value), not \(plain.value)")
    expect(written.value == plain.written, "written \(written.value as Any), not \(plain.written)")
    expect(interactor.draft.value == field.text, "the draft is not what the field shows")
    expect(interactor.isEdited.value == plain.isEdited, "isEdited")
    expect(interactor.isEditing.value == plain.isEditing, "isEditing")
    expect(interactor.isValid.value == (plain.candidate != nil), "isValid")
    expect(interactor.conflict.value == plain.conflict, "the conflict")
    expect((interactor.rejection.value != nil) == plain.wasRejected, "the rejection")
  }

  private func operate(_ bytes: inout ByteReader) {
    switch bytes.number(below: 24) {
    case 20: compose(&bytes)
    case 21:
      plain.keepMine()
      interactor.keepMine()
    case 22:
      plain.takeTheirs()
      interactor.takeTheirs()
    case 0...6:
      let key = String(Self.keys[bytes.number(below: Self.keys.count)])
      field.begin()
      plain.edit(TextEdit(replacing: field.selection, with: key))
      field.type(key)
    case 7...9: delete(forward: bytes.isOne(in: 3))
    case 10:
      let text = Self.pastes[bytes.number(below: Self.pastes.count)]
      field.begin()
      plain.edit(TextEdit(replacing: field.selection, with: text))
      field.paste(text)
    case 11, 12:
      plain.isEditing = true
      let bounds = [bytes.number(below: field.text.count + 1), bytes.number(below: field.text.count + 1)].sorted()
      field.select(bounds[0]..<bounds[1])
    case 13:
      field.begin()
      plain.edit(TextEdit(replacing: 0..<field.text.count, with: ""))
      field.clear()
    case 14, 15:
      let value = Self.values[bytes.number(below: Self.values.count)]
      plain.set(value)
      property.set(value)
    case 16:
      let isPossible = plain.candidate != nil
      plain.commit()
      expect(((try? interactor.commit()) != nil) == isPossible, "commit")
    case 17:
      plain.pressReturn()
      field.pressReturn()
    case 18:
      plain.revert()
      interactor.revert()
    default:
      plain.end()
      field.end()
    }
  }

  /// An input method composes a text in steps, and confirms the last.
  private func compose(_ bytes: inout ByteReader) {
    field.begin()
    plain.isEditing = true
    let (start, after) = (field.selection.lowerBound, field.text.count - field.selection.upperBound)
    let selected = String(Array(field.text)[field.selection])
    let steps = (0...bytes.number(below: 3)).map { _ in Self.pastes[bytes.number(below: Self.pastes.count)] }
    guard let last = steps.last, last != selected else { return }
    plain.edit(TextEdit(replacing: field.selection, with: last))
    field.isComposing = true
    for step in steps {
      field.select(min(start, field.text.count - after)..<field.text.count - after)
      field.paste(step)
    }
    field.isComposing = false
    field.didChange.emit()
  }

  private func delete(forward: Bool) {
    field.begin()
    plain.isEditing = true
    let (selection, count) = (field.selection, field.text.count)
    let range =
      !selection.isEmpty
      ? selection
      : forward
        ? selection.lowerBound..<min(count, selection.upperBound + 1)
        : max(0, selection.lowerBound - 1)..<selection.upperBound
    if !range.isEmpty {
      plain.edit(TextEdit(replacing: range, with: "", direction: forward ? .forward : .backward))
    }
    _ = forward ? field.deleteForward() : field.deleteBackward()
  }
}
