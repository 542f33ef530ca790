import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@Suite("Editing at random")
struct RandomisedEditingTests {
  @Test("after any typing, deleting and pasting, the field shows what a plain model of the rules says")
  func random() {
    var counts = (steps: 0, rejected: 0)
    for seed in Runs.seeds(Runs.size(40, full: 100), of: "Editing at random") {
      var round = EditingRound(seed)
      for _ in 0..<200 where round.failure == nil { round.step() }
      counts.steps += round.steps
      counts.rejected += round.rejected
      if let failure = round.failure {
        Issue.record("seed \(seed), \(round.oracle.world.name), step \(round.steps): \(failure)")
        return
      }
    }
    // A run in which nearly everything is rejected, or nothing, proves little.
    #expect(counts.rejected * 10 > counts.steps && counts.rejected * 2 < counts.steps)
  }

  @Test("what an input method composes is taken, written or rejected as if it were pasted")
  @MainActor func composing() async {
    for seed in Runs.seeds(Runs.size(40, full: 200), of: "Composing at random") {
      await Task.yield()  // other tests want the main actor too
      var round = EditingRound(seed)
      let field = ComposingField(round.oracle.world.format)
      for _ in 0..<100 where round.failure == nil { round.step(in: field) }
      if let failure = round.failure {
        Issue.record("seed \(seed), \(round.oracle.world.name), step \(round.steps): \(failure)")
        return
      }
    }
  }

  @Test("an edit of any text leaves nothing, a minus, or a number, with the caret in it")
  func anyText() {
    let characters = Array("0123456789.,-−'’ €%x٫٬٣８e/\u{A0}\u{202F}\u{200E}\u{61C}\u{301}🙂")
    for seed in Runs.seeds(40, of: "Editing of any text") {
      var random = SplitMix64(seed)
      func noise(_ length: Int) -> String {
        String((0..<random.number(below: length)).map { _ in characters[random.number(below: characters.count)] })
      }
      for _ in 0..<50 {
        let format = EditingWorld.all[random.number(below: EditingWorld.all.count)].format
        let (text, start) = (noise(12), random.number(below: 14))
        let edit = TextEdit(replacing: start..<start + random.number(below: 5), with: noise(6))
        guard let edited = try? format.edit(edit, of: text) else { continue }
        #expect((0...edited.text.count).contains(edited.selection.upperBound), "\(seed): \(edit) of \(text)")
        do { _ = try format.parse(edited.text) } catch {
          // The text before the edit may have had too many digits, and the edited text may have kept some of them.
          let reasons: [InputRejection.Reason] = [.incomplete, .tooManyFractionDigits]
          #expect(reasons.contains(error.reason), "\(seed): \(edit) of \(text) gives \(edited.text): \(error)")
        }
      }
    }
  }
}

/// One person at one field.
struct EditingRound {
  private var random: SplitMix64
  var oracle: EditingOracle
  private(set) var steps = 0
  private(set) var rejected = 0
  private(set) var failure: String?

  init(_ seed: UInt64) {
    random = SplitMix64(seed)
    oracle = EditingOracle(world: EditingWorld.all[random.number(below: EditingWorld.all.count)])
  }

  mutating func step() {
    steps += 1
    if random.isOne(in: 50) { showAnotherValue() }
    let text = oracle.text
    let (range, insertion, forward) = edit(of: text)
    // Put together only when it is notified: it would take half of the time.
    var description: String { "\(insertion.text.debugDescription) for \(range) of \(text.debugDescription)" }
    var expected = oracle
    let isDone = expected.edit(range, insertion, forward: forward)
    do {
      let edit = TextEdit(replacing: range, with: insertion.text, direction: forward ? .forward : .backward)
      let edited = try oracle.world.format.edit(edit, of: text)
      oracle = expected
      let wanted = EditedText(expected.text, caret: expected.caret)
      if !isDone {
        failure = "\(description) should be rejected and gives \(edited)"
      } else if edited != wanted {
        failure = "\(description) gives \(edited) and not \(wanted)"
      } else {
        checkValue(of: edited.text)
      }
    } catch {
      rejected += 1
      if isDone { failure = "\(description) should give \(expected.text.debugDescription) and is rejected: \(error)" }
    }
  }

  /// The same in a field, where the text is composed.
  @MainActor mutating func step(in field: ComposingField) {
    steps += 1
    if steps == 1 || random.isOne(in: 50) { field.show(showAnotherValue()) }
    let text = oracle.text
    let (range, insertion, forward) = edit(of: text)
    // A text that stays as it is was not edited.
    if insertion.text == String(Array(text)[range]) { return }
    var expected = oracle
    let isDone = expected.edit(range, insertion, forward: forward)
    if isDone { oracle = expected }
    let steps = (0..<random.number(below: 3)).map { _ in ["k", "か", "12345678901", "-", "¥"][random.number(below: 5)] }
    field.edit(range, insertion.text, forward: forward, steps: steps)
    let (control, interactor) = (field.control, field.interactor)
    let isRejected = interactor.rejection.value != nil
    if control.text != oracle.text || isDone && control.selection != oracle.caret..<oracle.caret
      || !isDone && !isRejected
    {
      failure = """
        \(insertion.text.debugDescription) composed by \(steps) for \(range) of \(text.debugDescription) gives \
        \(control.text.debugDescription) \(control.selection), \(interactor.rejection.value as Any), and not \
        \(oracle.text.debugDescription) \(oracle.caret), done: \(isDone)
        """
    } else if interactor.isValid.value, field.value != oracle.value {
      failure = "\(field.value) is written for \(text.debugDescription)"
    }
  }

  /// The text is nothing, a minus, or a number that is written and read as the same.
  private mutating func checkValue(of text: String) {
    let format = oracle.world.format
    do {
      let value = try format.parse(text)
      if value != oracle.value { failure = "\(text.debugDescription) is read as \(value)" }
      if steps % 4 > 0 { return }
      let written = format.format(value)
      let again = try format.parse(written)
      if again != value || format.format(again) != written {
        failure = "\(value) is written as \(written.debugDescription)"
      }
    } catch {
      if oracle.plain != "-" || error.reason != .incomplete {
        failure = "\(text.debugDescription) is not read: \(error)"
      }
    }
  }

  /// A value comes from elsewhere, and is shown with its symbol.
  @discardableResult
  private mutating func showAnotherValue() -> Decimal {
    let digits =
      Decimal(random.number(below: 1_000_000)) * (oracle.world.allowsNegative && random.isOne(in: 3) ? -1 : 1)
    let value = oracle.world.integerDigits < 8 ? 1 : digits / 100
    let shown = value * (oracle.world.places == 2 ? 100 : 1)
    let text = oracle.world.format.format(value)
    oracle.plain = shown.description
    // At least this number of fraction digits are written: two of money, one of a plain number.
    let least = oracle.world.format.format(0).filter { oracle.world.digits.contains($0) }.count - 1
    if least > 0, !oracle.plain.contains(".") { oracle.plain += "." }
    let fraction = oracle.plain.contains(".") ? oracle.plain.split(separator: ".").dropFirst().first?.count ?? 0 : 0
    oracle.plain += String(repeating: "0", count: max(0, least - fraction))
    oracle.hasSymbol = true
    oracle.caret = text.count
    if oracle.text != text {
      failure = "\(value) is written as \(text.debugDescription), not \(oracle.text.debugDescription)"
    }
    return value
  }
}

/// A field whose text is composed, and which writes it at once.
@MainActor final class ComposingField {
  let control = MemoryTextControl()
  let interactor: Interactor<Decimal>
  private let property = Observed<Decimal>(0)
  var value: Decimal { property.value }

  init(_ format: DecimalFormat) {
    interactor = Interactor(property, in: control, as: format, committing: .everyChange)
  }

  func show(_ value: Decimal) {
    property.set(value)
    interactor.revert()
  }

  func edit(_ range: Range<Int>, _ text: String, forward: Bool, steps: [String]) {
    control.select(range)
    if !text.isEmpty {
      control.compose(steps + [text])
    } else if !range.isEmpty {
      _ = forward ? control.deleteForward() : control.deleteBackward()
    }
  }
}

extension EditingRound {
  /// Mostly at the caret, as people do.
  private mutating func edit(of text: String) -> (Range<Int>, EditingOracle.Insertion, forward: Bool) {
    let nothing = EditingOracle.Insertion(text: "", plain: "")
    let (caret, count) = (oracle.caret, text.count)
    let anywhere = random.number(below: count + 1)
    switch random.number(below: 20) {
    case 0..<9: return (caret..<caret, key(), false)
    case 9..<12: return (max(0, caret - 1)..<caret, nothing, false)
    case 12: return (caret..<min(count, caret + 1), nothing, true)
    case 13: return (max(0, anywhere - 1)..<anywhere, nothing, random.isOne(in: 2))
    case 14, 15: return (anywhere..<anywhere, key(), false)
    case 16: return (0..<count, paste(), false)
    case 17: return (anywhere..<anywhere, paste(), false)
    default:
      let other = random.number(below: count + 1)
      let range = min(anywhere, other)..<max(anywhere, other)
      return (range, random.isOne(in: 2) ? nothing : random.isOne(in: 2) ? key() : paste(), random.isOne(in: 2))
    }
  }

  private mutating func key() -> EditingOracle.Insertion {
    let world = oracle.world
    switch random.number(below: 16) {
    case 0: return .init(text: "-", plain: "-")
    case 1, 2:
      let keys = world.decimalKeys
      return .init(text: String(keys[random.number(below: keys.count)]), plain: ".")
    case 3: return .init(text: String(world.grouping), plain: nil)
    case 4: return .init(text: ["x", " ", "/", "+", "$", "🙂", "\u{301}"][random.number(below: 7)], plain: nil)
    case 5 where !world.symbol.isEmpty: return .init(text: world.symbol, plain: "", bringsSymbol: true)
    default:
      let digit = random.isOne(in: 3) ? 0 : random.number(below: 10)
      let written = [String(digit), String(world.digits[digit]), String(Array("０１２３４５６７８９")[digit])]
      return .init(text: written[random.number(below: 3)], plain: String(digit))
    }
  }

  /// Pastes a number as the format writes it, among other things; or a text that is no number.
  private mutating func paste() -> EditingOracle.Insertion {
    let world = oracle.world
    if random.isOne(in: 8) {
      let junk = [
        "net", "--", "1 of 2", "1\(world.separator)2\(world.separator)3", "12\(world.grouping)3", "  ", "3-4", "5\n6",
      ]
      return .init(text: junk[random.number(below: junk.count)], plain: nil)
    }
    var plain = random.isOne(in: 4) ? "-" : ""
    plain += String(random.number(below: [10, 1000, 100_000, 1_000_000_000][random.number(below: 4)]))
    if random.isOne(in: 2) { plain += ".\(random.number(below: 1000))" }
    let hasSymbol = random.isOne(in: 2)
    let text = String(world.cells(plain, hasSymbol: hasSymbol).map(\.character))
    let written = [text, "\(text) net", " \(text)", "costs \(text).", world.characters(plain)]
    let choice = random.number(below: written.count)
    return .init(
      text: written[choice], plain: plain, bringsSymbol: hasSymbol && choice < 4 && !world.symbol.isEmpty)
  }
}
