import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Interactor, randomised", .timeLimit(.minutes(20)))
struct RandomisedInteractorTests {
  static let locales = ["en_US", "de_DE", "fr_FR", "de_CH", "en_IN", "ar_EG"]
  static let policies = [CommitPolicy.everyChange, .atEnd, .explicitly]

  @Test("in any use of a decimal in six locales, text and value keep the rules, and nothing is written twice")
  func decimals() async {
    for seed in Runs.seeds(Runs.size(40, full: 120), of: "RandomisedInteractorTests.decimals") {
      await Task.yield()  // other tests want the main actor too
      var random = SplitMix64(seed)
      let locale = Self.locales[random.number(below: Self.locales.count)]
      let formats = [
        DecimalFormat(locale: Locale(identifier: locale)), .currency("EUR", locale: Locale(identifier: locale)),
        .percent(locale: Locale(identifier: locale)),
      ]
      run(
        formats[random.number(below: 3)], seed: seed, "\(locale)", keys: Array("0123456789.,-'٣٫ "),
        pastes: ["12", "1.234,5", "-0,5", "1,234.5", "", "abc", "0.001", "99999"],
        values: [0, 1, -3, 12.5, Decimal(string: "0.1234567") ?? 0, 1_234_567, 5000],
        isAllowed: { $0 >= -100 }, corrected: { $0 > 100_000 ? 100_000 : $0 })
    }
  }

  @Test("in any use of other values, text and value keep the rules, and nothing is written twice")
  func others() async {
    for seed in Runs.seeds(Runs.size(60, full: 100), of: "RandomisedInteractorTests.others") {
      await Task.yield()  // other tests want the main actor too
      switch seed % 3 {
      case 0:
        run(
          Rounded(), seed: seed, keys: Array("0123456789.-x"), pastes: ["1.005", "-", "..", "12.3456"],
          values: [0, 1.005, -2, 250], isAllowed: { $0 >= 0 }, corrected: { $0 > 100 ? 100 : $0 })
      case 1:
        run(
          Grouped(), seed: seed, keys: Array("0123456789'x"), pastes: ["1234", "'", "12'34", "x"],
          values: [0, 1000, 99], isAllowed: { $0 != 12 }, corrected: { $0 % 2 == 1 ? $0 - 1 : $0 })
      default:
        run(
          Trimmed(), seed: seed, keys: Array("ab é👍"), pastes: ["  ", " a b ", ""], values: ["a", "b  b", " "],
          isAllowed: { $0 != "ab" }, corrected: { $0 == "b" ? "B" : $0 })
      }
    }
  }

  /// A hundred steps.
  private func run<Format: TextFormat>(
    _ format: Format, seed: UInt64, _ what: String = "\(Format.self)", keys: [Character], pastes: [String],
    values: [Format.Value], isAllowed: @escaping @Sendable (Format.Value) -> Bool,
    corrected: @escaping @Sendable (Format.Value) -> Format.Value
  ) where Format.Value: Equatable {
    var random = SplitMix64(seed, 1)
    let policy = Self.policies[random.number(below: 3)]
    let property = Observed(values[0])
    let field = MemoryTextControl()
    // The handler that corrects is notified before the interactor, or after it.
    let correct: @Sendable (Change<Format.Value>) -> Void = { change in
      let right = corrected(change.new)
      if right != change.new { property.set(right) }
    }
    let early = random.isOne(in: 2) ? property.observe(correct) : nil
    let interactor = Interactor(
      property, in: field, as: format, committing: policy, validators: [.require("Not allowed.", isAllowed)])
    let late = early == nil ? property.observe(correct) : nil
    let written = Recorder<Format.Value>()
    let recording = property.observe { written($0.new) }
    var plain = PlainInteractor(format, policy, values[0], isAllowed: isAllowed, corrected: corrected)
    var log: [String] = []
    var writes = 0

    for step in 0..<100 {
      plain.written = []
      let showings = field.showings
      log.append(one(&random, field, property, interactor, &plain, keys, pastes, values))
      let new = Array(written.values.dropFirst(writes))
      writes += new.count
      let isRight =
        field.text == plain.text && property.value == plain.value && new == plain.written
        && interactor.draft.value == field.text && interactor.isEdited.value == plain.isEdited
        && interactor.isEditing.value == plain.isEditing && interactor.isValid.value == (plain.candidate != nil)
        && interactor.conflict.value == plain.conflict && (interactor.rejection.value != nil) == plain.wasRejected
        && field.showings - showings <= 2
      if !isRight {
        Issue.record(
          """
          seed \(seed), step \(step), \(what), \(policy): '\(field.text)' \(property.value) wrote \(new), edited \
          \(interactor.isEdited.value), error \(interactor.error.value as Any), rejection \
          \(interactor.rejection.value as Any), \(field.showings - showings) showings; to be '\(plain.text)' \(plain.value) \
          wrote \(plain.written), edited \(plain.isEdited), candidate \(plain.candidate as Any); after \(log.suffix(6))
          """)
        return
      }
    }
    withExtendedLifetime((early, late, recording)) {}
  }

  private func one<Format: TextFormat>(
    _ random: inout SplitMix64, _ field: MemoryTextControl, _ property: Observed<Format.Value>,
    _ interactor: Interactor<Format.Value>, _ plain: inout PlainInteractor<Format>, _ keys: [Character],
    _ pastes: [String], _ values: [Format.Value]
  ) -> String {
    switch random.number(below: 24) {
    case 20, 21:
      let text =
        random.isOne(in: 2)
        ? pastes[random.number(below: pastes.count)] : String(keys[random.number(below: keys.count)])
      if text == String(Array(field.text)[field.selection]) { return "" }
      field.begin()
      plain.edit(TextEdit(replacing: field.selection, with: text))
      field.compose((0..<random.number(below: 3)).map { _ in pastes[random.number(below: pastes.count)] } + [text])
      return "compose \(text)"
    case 22:
      plain.keepMine()
      interactor.keepMine()
      return "keep mine"
    case 23:
      plain.takeTheirs()
      interactor.takeTheirs()
      return "take theirs"
    case 0...6:
      let key = String(keys[random.number(below: keys.count)])
      field.begin()
      plain.edit(TextEdit(replacing: field.selection, with: key))
      field.type(key)
      return "type \(key)"
    case 7...9:
      field.begin()
      plain.isEditing = true
      let isForward = random.isOne(in: 3)
      let (selection, count) = (field.selection, field.text.count)
      let range =
        !selection.isEmpty
        ? selection
        : isForward
          ? selection.lowerBound..<min(count, selection.upperBound + 1)
          : max(0, selection.lowerBound - 1)..<selection.upperBound
      if !range.isEmpty {
        plain.edit(TextEdit(replacing: range, with: "", direction: isForward ? .forward : .backward))
      }
      _ = isForward ? field.deleteForward() : field.deleteBackward()
      return isForward ? "delete forward" : "delete"
    case 10:
      let text = pastes[random.number(below: pastes.count)]
      field.begin()
      plain.edit(TextEdit(replacing: field.selection, with: text))
      field.paste(text)
      return "paste \(text)"
    case 11, 12:
      plain.isEditing = true
      let bounds = [random.number(below: field.text.count + 1), random.number(below: field.text.count + 1)]
      field.select(bounds.min()!..<bounds.max()!)
      return "select \(field.selection)"
    case 13:
      field.begin()
      plain.edit(TextEdit(replacing: 0..<field.text.count, with: ""))
      field.clear()
      return "clear"
    case 14, 15:
      let value = values[random.number(below: values.count)]
      plain.set(value)
      property.set(value)
      return "set \(value)"
    case 16:
      let isPossible = plain.candidate != nil
      plain.commit()
      let isDone = (try? interactor.commit()) != nil
      if isDone != isPossible { Issue.record("commit: \(isDone), to be \(isPossible)") }
      return "commit"
    case 17:
      plain.pressReturn()
      field.pressReturn()
      return "return"
    case 18:
      plain.revert()
      interactor.revert()
      return "revert"
    default:
      plain.end()
      field.end()
      return "end"
    }
  }
}
