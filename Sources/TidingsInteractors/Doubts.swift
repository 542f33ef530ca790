/// The rejected edits after which the text that a person types on may be ambiguous.
struct Doubts: Sendable {
  private struct Doubt {
    let rejection: InputRejection
    let rejected: RejectedEdit
    /// The number of digits before the place of the edit.
    let place: Int
    /// The text before the place was edited: the place is not known any more.
    var isLost = false
    /// The person has left the field, where the draft is invalid. The next edit is of what is seen there.
    var isLeft = false
  }
  private var doubts: [Doubt] = []

  /// Adds an edit if the text is ambiguous without it.
  mutating func add(_ rejection: InputRejection, _ rejected: RejectedEdit, _ format: any TextFormat) {
    guard format.isAmbiguous(rejected.text, after: [rejected]) else { return }
    let place = Self.digits(rejected.text.prefix(rejected.edit.range.lowerBound))
    doubts.append(Doubt(rejection: rejection, rejected: rejected, place: place))
  }

  /// Called for an edit that is accepted, before it is made.
  mutating func follow(_ edit: TextEdit, of text: String) {
    // Another text replaces the whole of this one.
    if edit.range == 0..<text.count { doubts.removeAll { $0.rejected.text != text } }
    let place = Self.digits(text.prefix(edit.range.lowerBound))
    for index in doubts.indices where doubts[index].place > place { doubts[index].isLost = true }
  }

  /// Called for the text after an edit.
  mutating func update(_ text: String) {
    let count = Self.digits(text[...])
    doubts.removeAll { $0.isLeft || text.isEmpty || $0.place > count }
  }

  /// Called when the editing ends.
  mutating func leave() {
    for index in doubts.indices { doubts[index].isLeft = true }
  }

  /// Why a text is ambiguous, if it is.
  func rejection(of text: String, _ format: any TextFormat) -> InputRejection? {
    guard let last = doubts.last else { return nil }
    let isAmbiguous = doubts.contains(where: \.isLost) || format.isAmbiguous(text, after: doubts.map(\.rejected))
    return isAmbiguous ? last.rejection : nil
  }

  private static func digits(_ text: Substring) -> Int { text.count(where: \.isNumber) }
}
