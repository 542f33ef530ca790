import Foundation
import Testing
import TidingsInteractors
import TidingsTesting

@Suite("A pasted number")
struct PastedNumberTests {
  private func pasted(_ text: String, _ format: some TextFormat<Decimal>) throws(InputRejection) -> Decimal {
    try format.parse(try format.edit(TextEdit(replacing: 0..<0, with: text), of: "").text)
  }

  @Test("in every locale it is the number that was written, by whichever convention, or it is rejected")
  func everyLocale() {
    var formats: [DecimalFormat: (id: String, hundredfold: Decimal)] = [:]
    for id in Locale.availableIdentifiers.sorted() {
      let locale = Locale(identifier: id)
      let own = locale.currency?.identifier ?? "EUR"
      for style in [DecimalFormat.Style.number, .currency(code: own), .currency(code: "EUR"), .percent] {
        formats[DecimalFormat(style, locale: locale, fractionDigits: 0...3)] = (id, style == .percent ? 100 : 1)
      }
    }
    let seed = Runs.seeds(1, of: "PastedNumberTests.everyLocale")[0]
    var counts = (accepted: 0, rejected: 0)
    for (index, (format, (id, hundredfold))) in formats.sorted(by: { $0.value.id < $1.value.id }).enumerated() {
      var random = SplitMix64(seed, index)
      let symbols = WrittenNumber.symbols + [Locale(identifier: id).currencySymbol ?? "€"]
      for _ in 0..<Runs.size(20, full: 2000) {
        let number = WrittenNumber(&random, symbols: symbols)
        guard let value = try? pasted(number.text, format) else {
          counts.rejected += 1
          continue
        }
        counts.accepted += 1
        if number.readings.contains(value * hundredfold) { continue }
        Issue.record("\(id): “\(number.text)” is taken for \(value) where one is written \(format.format(1))")
      }
    }
    // A test in which nearly everything is rejected, or nothing, proves little.
    #expect(counts.accepted > counts.rejected / 4 && counts.rejected > counts.accepted / 4, "\(counts)")
  }

  @Test(
    "in every locale a number as the system writes it is taken with any sign and any brackets, and no digits are lost")
  func asTheSystem() throws {
    for id in Locale.availableIdentifiers {
      let locale = Locale(identifier: id)
      for style in [DecimalFormat.Style.number, .currency(code: "EUR")] {
        let format = DecimalFormat(style, locale: locale, fractionDigits: 2...2)
        let value = try #require(Decimal(string: "1234.25"))
        let text = format.format(value)
        #expect(try pasted(text, format) == value, "\(id): \(text)")
        for text in ["-\(text)", "−\(text)", "–\(text)", "(\(text))", "（\(text)）", format.format(-value)] {
          #expect(try pasted(text, format) == -value, "\(id): \(text)")
        }
      }
    }
  }

  @Test(
    "a mark or a sign at its end that may mean another number rejects it",
    arguments: ["de_DE", "en_US", "sv_SE", "de_CH", "fr_CH", "ar_EG", "pt_CV"])
  func marks(_ id: String) throws {
    for style in [DecimalFormat.Style.number, .currency(code: "EUR"), .currency(code: "CVE"), .percent] {
      let format = DecimalFormat(style, locale: Locale(identifier: id), fractionDigits: 0...3)
      let texts = [
        "-(5)", "ー5", "(--5)", "(-$-5)", "--5", "-+5", "+-5", "5.-", "(5", "5)", "▲5", "5½", "½5", "5²", "5 ½", "5k",
        "5M",
        "5万", "·5", "/5", "5/", "~5",
        "USD.5", "lek-5", "5 lek-", "x -lek 5", "- lek 5", "5-net", "5 -", "-5-", "(5-)", "5‰", "0.500.000",
        "0,500,000", "12.-", "5\u{301}", "٣x5", "- milk 5",
        "(about 5)", "EUR 5 (", "1\u{2044}2",
      ]
      for text in texts {
        #expect(throws: InputRejection.self, "\(id), \(style): \(text)") { try pasted(text, format) }
      }
    }
  }

  @Test(
    "a minus is found on either side of the number and of its currency",
    arguments: ["de_DE", "en_US", "sv_SE", "de_CH", "fr_CH", "ar_EG"])
  func signs(_ id: String) throws {
    let texts = [
      "–5", "−5", "－5", "‑5", "5-", "5−", "5–", "(5)", "($5)", "$(5)", "$ (5)", "(5) €", "(5 €)", "-$5", "$-5", "$ - 5",
      "- 5", "€ -5", "5- €", "5 €-", "€5-", "-5 €", "USD -5", "USD-5", "-USD 5", "US$ -5", "-US$5", "5 USD-",
      "costs -5",
      "total: -5", "\"-5\"", "-5.", "（5）", "( 5 )", "$ ( 5 )", "(-5)", "costs (-5)",
    ]
    for style in [DecimalFormat.Style.number, .currency(code: "EUR")] {
      let format = DecimalFormat(style, locale: Locale(identifier: id))
      for text in texts {
        do { #expect(try pasted(text, format) == -5, "\(id), \(style): \(text)") } catch {
          #expect(text == "costs (-5)", "\(id), \(style): \(text) is rejected: \(error)")
        }
      }
    }
    for text in [
      "+5", "+ 5", "$5", "5 kr", "kr. 5", "x5", "#5", "=5", "\"5\"", "“5”", "5, net", "net 5.", "5; 5元", "共5元",
    ] {
      let format = DecimalFormat(locale: Locale(identifier: id))
      if let value = try? pasted(text, format) {
        #expect(value == 5, "\(id): \(text)")
      } else {
        #expect(text == "5; 5元" || text == "+ 5", "\(id): \(text) is rejected")
      }
    }
  }

  @Test("a currency that interrupts the digits is no part of a text that is read")
  func interrupted() {
    let euro = DecimalFormat(.currency(code: "EUR"), locale: Locale(identifier: "fr_FR"))
    for text in ["5€50", "1€", "€1", "-€1"] {
      let value = try? euro.parse(text)
      #expect(value == (text == "5€50" ? nil : text == "-€1" ? -1 : 1), "\(text)")
    }
  }
}
