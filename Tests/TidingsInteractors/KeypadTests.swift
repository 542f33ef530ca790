import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("A separator of another country", .timeLimit(.minutes(20)))
struct KeypadTests {
  let price = Observed(Decimal(7))
  let field = MemoryTextControl()

  private func interactor(_ id: String, _ policy: CommitPolicy = .atEnd) -> Interactor<Decimal> {
    Interactor(price, in: field, as: .decimal(locale: Locale(identifier: id)), committing: policy)
  }
  private func replace(_ keys: String) {
    field.selectAll()
    field.type(keys)
  }

  @Test(
    "a dot or a comma that means nothing else in the locale is typed as the separator",
    arguments: ["fr_FR", "sv_SE", "pl_PL", "pt_PT", "nb_NO", "en_ZA", "de_CH"])
  func taken(_ id: String) {
    let interactor = interactor(id)
    for keys in ["12.50", "12,50"] {
      replace(keys)
      #expect(interactor.rejection.value == nil && interactor.isValid.value)
      field.end()
      #expect(price.value == Decimal(string: "12.5"))
      price.set(7)
    }
  }

  @Test(
    "one that groups digits is rejected until the field is left, the draft is invalid, and nothing is written",
    arguments: [("de_DE", "."), ("pt_BR", "."), ("en_US", ","), ("tr_TR", "."), ("ar_EG", ",")],
    [CommitPolicy.atEnd, .everyChange, .explicitly])
  func rejected(_ place: (id: String, mark: String), _ policy: CommitPolicy) {
    let interactor = interactor(place.id, policy)
    let written = price.record()
    replace("12\(place.mark)")
    for key in ["", "5", "0"] {
      field.type(key)
      #expect(interactor.rejection.value?.reason == .foreignCharacters && !interactor.isValid.value)
      #expect(throws: InputRejection.self) { try interactor.commit() }
    }
    #expect(!field.pressReturn() || policy == .explicitly)
    field.end()
    #expect(interactor.rejection.value == nil && interactor.error.value is InputRejection && !interactor.isValid.value)
    #expect(throws: FormErrors.self) { try Form(interactor).commit() }
    field.begin()
    field.end()
    #expect(written.values.map(\.new) == (policy == .everyChange ? [1, 12] : []), "leaving it again writes nothing")
    field.deleteBackward()
    #expect(interactor.isValid.value, "the person has seen the number and edits it")
  }

  @Test("the mark is forgotten when the text is another: with the separator after it, as a grouping, empty or replaced")
  func forgotten() {
    let interactor = interactor("de_DE")
    let texts: [(keys: [String], value: String)] = [
      (["12.", ",50"], "12.5"), (["12.50", "2", ","], "12.5"), (["12,,5"], "12.5"), (["12.", "⌫", "25"], "125"),
      (["1.234"], "1234"), (["1.234.567,5"], "1234567.5"), (["12.5", "⌫", "⌫"], "1"),
      (["12.5", "clear", "125"], "125"), (["12.5", "all", "126"], "126"), ([".", ",5"], "0.5"),
    ]
    for (keys, value) in texts {
      field.clear()
      for key in keys {
        switch key {
        case "⌫": field.deleteBackward()
        case "clear": field.clear()
        case "2": field.moveCaret(to: 3)
        case "all": field.selectAll()
        default: field.type(key)
        }
      }
      #expect(interactor.isValid.value && interactor.rejection.value == nil, "\(keys)")
      field.end()
      #expect(price.value == Decimal(string: value), "\(keys)")
    }
  }

  @Test("what is typed on after a grouping, or over a selection, is ambiguous again")
  func again() {
    let interactor = interactor("de_DE")
    for keys in ["1.2345", ".5", ".500", "0.5", "0.500", "12.50,", "1.234.56", "1234.567", "1,5.", "1,234.5"] {
      field.end()
      field.clear()
      field.end()
      price.set(7)
      replace(keys)
      #expect(!interactor.isValid.value && interactor.rejection.value != nil, "\(keys) gives \(field.text)")
    }
    interactor.revert()
    #expect(interactor.isValid.value && interactor.rejection.value == nil && field.text == "7,0")
    replace("1.23")
    field.moveCaret(to: 0)
    field.type("4")
    #expect(field.text == "4.123" && !interactor.isValid.value, "it was 41.23 for the person")
  }

  @Test(
    "no separator is skipped in a whole number or in money without decimals",
    arguments: ["de_DE", "en_US", "de_CH", "sv_SE"])
  func withoutDecimals(_ id: String) {
    let count = Observed(7)
    let wholes = Interactor(count, in: field, as: .integer(locale: Locale(identifier: id)))
    for mark in [".", ","] {
      replace("12\(mark)50")
      #expect(!wholes.isValid.value && wholes.rejection.value != nil)
      field.end()
      #expect(count.value == 7)
      wholes.revert()
    }
    wholes.deactivate()
    let yen = Interactor(price, in: field, as: .currency("JPY", locale: Locale(identifier: id)))
    for mark in [".", ","] {
      replace("12\(mark)50")
      field.end()
      #expect(price.value == 7 && !yen.isValid.value)
      yen.revert()
    }
  }

  @Test("in every locale a number that is typed by whichever convention is the one that is written, or none is")
  func everyLocale() async {
    var formats: [DecimalFormat: String] = [:]
    for id in Locale.availableIdentifiers.sorted() {
      formats[DecimalFormat(locale: Locale(identifier: id), fractionDigits: 0...3)] = id
    }
    let seed = Runs.seeds(1, of: "KeypadTests.everyLocale")[0]
    var counts = (written: 0, invalid: 0)
    for (index, (format, id)) in formats.sorted(by: { $0.value < $1.value }).enumerated() {
      await Task.yield()  // other tests want the main actor too
      var random = SplitMix64(seed, index)
      let interactor = Interactor(price, in: field, as: format)
      for _ in 0..<Runs.size(8, full: 1000) {
        let number = WrittenNumber(&random, symbols: ["€"])
        price.set(7)
        replace(number.body)
        field.end()
        if interactor.isEdited.value { counts.invalid += 1 } else { counts.written += 1 }
        let values = [7, price.value, -price.value]
        if interactor.isEdited.value ? price.value != 7 : number.readings.isDisjoint(with: values.dropFirst()) {
          Issue.record("\(id): “\(number.body)” is typed, and \(price.value) is written")
        }
        interactor.revert()
      }
      interactor.deactivate()
    }
    #expect(counts.written > counts.invalid / 4 && counts.invalid > counts.written / 10, "\(counts)")
  }

  @Test("a transaction that throws takes back that a draft is ambiguous")
  func takenBack() {
    struct Stop: Error {}
    let interactor = interactor("de_DE")
    replace("12")
    try? transaction {
      field.type(".")
      #expect(!interactor.isValid.value)
      throw Stop()
    }
    #expect(interactor.isValid.value && interactor.rejection.value == nil)
    field.type("5")
    #expect(interactor.isValid.value)
  }
}
