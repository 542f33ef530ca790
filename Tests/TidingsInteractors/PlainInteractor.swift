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
  /// The value of which the text was made.
  var origin: Format.Value
  var isEditing = false
  /// The keys that were rejected while the text was ambiguous without them, and the number of digits before each.
  var doubts: [(rejected: RejectedEdit, place: Int, isLost: Bool, isLeft: Bool)] = []
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
    origin = value
  }

  var isEdited: Bool { text != base }
  var isAmbiguous: Bool {
    !doubts.isEmpty && (doubts.contains(where: \.isLost) || format.isAmbiguous(text, after: doubts.map(\.rejected)))
  }
  /// The value that was set elsewhere and would be overwritten.
  var conflict: Format.Value? {
    !isEdited || value == origin || (try? format.parse(text)) == value ? nil : value
  }
  /// The value of the draft, if that may be written.
  var candidate: Format.Value? {
    guard !isAmbiguous, conflict == nil, let value = isEdited ? try? format.parse(text) : value, isAllowed(value) else {
      return nil
    }
    return value
  }

  mutating func set(_ new: Format.Value) {
    written.append(new)
    if corrected(new) != new { written.append(corrected(new)) }
    let wasInConflict = conflict != nil
    value = corrected(new)
    follow()
    if wasInConflict, conflict == nil, policy == .everyChange { commit() }
  }
  private mutating func follow() {
    if isEditing || isEdited { return }
    showValue()
  }
  private mutating func showValue() {
    text = format.format(value)
    base = text
    origin = value
    doubts = []
  }

  mutating func edit(_ edit: TextEdit) {
    isEditing = true
    do throws(InputRejection) {
      let edited = try format.edit(edit, of: text)
      if edit.range == 0..<text.count { doubts.removeAll { $0.rejected.text != text } }
      doubts = doubts.map { ($0.rejected, $0.place, $0.isLost || digits(edit, text) < $0.place, $0.isLeft) }
      let isSame = edited.text == text
      text = edited.text
      if !isSame { doubts.removeAll { $0.isLeft || text.isEmpty || text.count(where: \.isNumber) < $0.place } }
      wasRejected = isAmbiguous
    } catch {
      wasRejected = true
      let rejected = RejectedEdit(edit, of: text)
      if format.isAmbiguous(text, after: [rejected]) { doubts.append((rejected, digits(edit, text), false, false)) }
      return
    }
    if policy == .everyChange { commit() }
  }

  private func digits(_ edit: TextEdit, _ text: String) -> Int {
    text.prefix(edit.range.lowerBound).count(where: \.isNumber)
  }

  mutating func commit() {
    guard isEdited, let candidate else { return }
    base = text
    if candidate != value { set(candidate) }
    origin = value
    follow()
  }

  mutating func end() {
    guard isEditing else { return }
    (isEditing, wasRejected) = (false, false)
    doubts = doubts.map { ($0.rejected, $0.place, $0.isLost, true) }
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

  mutating func keepMine() {
    guard conflict != nil else { return }
    origin = value
    if policy == .everyChange || policy == .atEnd && !isEditing { commit() }
  }
  mutating func takeTheirs() {
    if conflict != nil { revert() }
  }

  mutating func revert() {
    showValue()
    wasRejected = false
  }
}
