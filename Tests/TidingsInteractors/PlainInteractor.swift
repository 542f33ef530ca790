import TidingsInteractors

/// The expected state of an interactor and its control after each step, in the plainest code: the oracle of the randomised tests.
/// It knows no events, no control and no transactions.
struct PlainInteractor<Format: TextFormat> where Format.Value: Equatable {
  let format: Format
  let policy: CommitPolicy
  let isAllowed: (Format.Value) -> Bool
  /// Returns the value that a handler of the property substitutes for a value that is set.
  let corrected: (Format.Value) -> Format.Value

  var value: Format.Value
  var text: String
  var base: String
  var isEditing = false
  var wasRejected = false
  /// The values written to the property in this step.
  var written: [Format.Value] = []

  init(
    _ format: Format, _ policy: CommitPolicy, _ value: Format.Value, isAllowed: @escaping (Format.Value) -> Bool,
    corrected: @escaping (Format.Value) -> Format.Value
  ) {
    (self.format, self.policy, self.value) = (format, policy, value)
    (self.isAllowed, self.corrected) = (isAllowed, corrected)
    text = format.format(value)
    base = text
  }

  var isEdited: Bool { text != base }
  /// The value of the draft, if that may be written.
  var candidate: Format.Value? {
    guard let value = isEdited ? try? format.parse(text) : value, isAllowed(value) else { return nil }
    return value
  }

  mutating func set(_ new: Format.Value) {
    written.append(new)
    if corrected(new) != new { written.append(corrected(new)) }
    value = corrected(new)
    follow()
  }
  private mutating func follow() {
    if isEditing || isEdited { return }
    text = format.format(value)
    base = text
  }

  mutating func edit(_ edit: TextEdit) {
    isEditing = true
    do throws(InputRejection) {
      let edited = try format.edit(edit, of: text)
      wasRejected = false
      if edited.text == text { return }
      text = edited.text
    } catch {
      wasRejected = true
      return
    }
    if policy == .everyChange { commit() }
  }

  mutating func commit() {
    guard isEdited, let candidate else { return }
    base = text
    if candidate != value { set(candidate) }
    follow()
  }

  mutating func end() {
    guard isEditing else { return }
    (isEditing, wasRejected) = (false, false)
    if policy != .explicitly { commit() }
    follow()
  }

  /// Whether the editing is over.
  mutating func pressReturn() {
    guard isEditing else { return }
    if policy == .explicitly { return end() }
    commit()
    if candidate != nil { end() }
  }

  mutating func revert() {
    text = format.format(value)
    base = text
    wasRejected = false
  }
}
