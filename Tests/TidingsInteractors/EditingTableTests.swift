import Testing
import TidingsInteractors

@Suite("Editing, key by key")
struct EditingTableTests {
  @Test("a field shows after each key what a person expects", arguments: scripts)
  func each(_ script: EditingScript) {
    var typist = Typist(script.format, script.start)
    for (index, step) in script.steps.enumerated() {
      let before = typist.shown
      typist.type(step.key)
      #expect(
        (typist.rejection == nil ? typist.shown : "✗") == step.shown,
        "step \(index + 1): \(step.key) in \(before) \(typist.rejection?.description ?? "")")
      if typist.rejection != nil { #expect(typist.shown == before) }
    }
  }

  static let scripts: [EditingScript] = [
    .init(
      "en_US", "digits are grouped as they come, up to eight",
      """
      | 1→1| 2→12| 3→123| 4→1,234| 5→12,345| 6→123,456| 7→1,234,567| 8→12,345,678| 9→✗ 0→✗
      .→12,345,678.| 1→12,345,678.1| 2→12,345,678.12| 3→12,345,678.123| 4→✗
      """),
    .init(
      "en_US", "a separator alone gets a zero, and takes it along",
      "| .→0.| 5→0.5| ⌫→0.| ⌫→| .→0.| 0→0.0| 7→0.07| ⌫→0.0| ⌫→0.| ⌫→|"),
    .init(
      "en_US", "a zero in front makes room, unless a separator follows",
      "| 0→0| 5→5| ⌫→| 0→0| 0→0| 0→0| .→0.| 0→0.0| ‹→0.|0 ‹→0|.0 3→3|.0 4→34|.0 ⌫→3|.0 ⌫→0|.0 ⌫→0|.0"),
    .init(
      "en_US", "there is one separator", "1.5| .→✗ ‹→1.|5 .→✗ ‹→1|.5 .→✗ ⌦→1|5 .→1.|5 ⌫→1|5 ∀→|15| .→0.|"),
    .init(
      "en_US", "a separator may come between digits",
      "12,3|45 .→123.|45 ⌫→12,3|45 ⇤→|12,345 .→✗ ›→1|2,345 .→✗ ›→12|,345 .→12.|345"),
    .init(
      "en_US", "deleting a separator does not make too many digits",
      "123,456.|789 ⌫→✗ ⇥→123,456.789| ⌫→123,456.78| ‹→123,456.7|8 ‹→123,456.|78 ⌫→12,345,6|78"),
    .init(
      "en_US", "a minus is first, once, also before a separator",
      "| -→-| -→✗ .→-0.| 5→-0.5| ⌫→-0.| ⌫→-| ⌫→| 5→5| -→✗ ⇤→|5 -→-|5 -→✗ ⌫→|5 −→-|5 4→-4|5 ⇤→|-45 3→-3|45"),
    .init(
      "en_US", "to delete a grouping separator is to delete the digit beside it",
      "1,|234 ⌫→|234 4→4|,234 ⌦→4|34 ⇥→434| 5→4,345| ‹→4,34|5 ‹→4,3|45 ‹→4,|345 ‹→4|,345 ⌦→4|45"),
    .init("en_US", "letters and other signs are rejected", "1| x→✗ €→✗ ,→✗ /→✗ e→✗ +→✗ '→✗ 🙂→✗ ²→✗ ½→✗ %→✗ 一→✗"),
    .init(
      "en_US", "full-width digits are digits, those of other scripts are not", "| １→1| ５→15| ．→15.| ٣→✗ ३→✗ ９→15.9|"),
    .init(
      "en_US", "of a paste the number is taken",
      """
      | «USD 1,234.50 net»→1,234.50| ∀→|1,234.50| «-€ 5»→-5| ∀→|-5| «(12)»→-12| ∀→|-12| «(USD 1,234.50) »→-1,234.50| ∀→|-1,234.50| «all (12)»→12| ∀→|12| « 3.5 »→3.5| ∀→|3.5| «.25»→0.25|
      ∀→|0.25| «007»→7| ∀→|7| «It costs 1,500.»→1,500| ∀→|1,500| «-0»→-0| ∀→|-0| «1,000,000.»→1,000,000.|
      """),
    .init(
      "en_US", "a paste is inserted at the caret",
      "1|2 «34»→1,34|2 «.5»→134.5|2 ⇤→|134.52 «-9»→-9|,134.52 «1,2»→✗ «12,345»→✗"),
    .init(
      "en_US", "a paste that does not fit, or can mean two numbers, is rejected as a whole",
      """
      5| «123456789»→✗ «0.1234»→✗ «1.5.2»→✗ «1,23»→✗ «12,34,567»→✗ «3 of 4»→✗ «1-2»→✗ «2026-11-22»→✗ «net»→✗ «-7»→✗ « »→✗
      ‹→|5 «-7.5»→-7.5|5 «.1»→✗
      """),
    .init(
      "en_US", "a minus is one before the number or its currency, and no hyphen and no dash",
      """
      | «-USD 7»→-7| ∀→|-7| «EUR -7.»→-7| ∀→|-7| «- 7»→-7| ∀→|-7| «A-7»→7| ∀→|7| «profit - 7»→7| ∀→|7| «(-€7)»→-7| ∀→|-7| «--»→✗
      """),
    .init(
      "en_US", "numbers as others group them are numbers",
      """
      | «12 345»→12,345| ∀→|12,345| «12'345.6»→12,345.6| ∀→|12,345.6| «1 234 567»→1,234,567| ∀→|1,234,567| «12 34»→✗ «1 234,567»→✗
      """),
    .init(
      "de_DE", "a number written the other way round is not taken for another",
      """
      | «1.5»→✗ «1,234.50»→✗ «1,234,567»→✗ «1.234,50 €»→1.234,50| ∀→|1.234,50| «1.500»→1.500| ∀→|1.500| «EUR -12,5»→-12,5|
      """),
    .init(
      "fr_FR", "whatever kind of space is pasted",
      "| «1 234,5»→1⍽234,5| ∀→|1⍽234,5| «12␣345»→12⍽345| ∀→|12⍽345| «1⍽234⍽567,25 €»→1⍽234⍽567,25|"),
    .init(
      "hi_IN", "Devanagari digits are digits, and lakh and thousand are both grouped",
      """
      | १→1| ५→15| .→15.| ९→15.9| ∀→|15.9| «12,34,567»→12,34,567| ∀→|12,34,567| «1,234,567»→12,34,567| ∀→|12,34,567| «₹१,२३४»→1,234|
      """),
    .init(
      "ar_EG", "Arabic-Indic digits, whichever are typed",
      "| 1→١| ٢→١٢| 3→١٢٣| ٤→١٬٢٣٤| ٫→١٬٢٣٤٫| ٫→✗ 5→١٬٢٣٤٫٥| ⌫→١٬٢٣٤٫| ⌫→١٬٢٣٤| ⌫→١٢٣| .→١٢٣٫| ⌫→١٢٣| ٬→✗"),
    .init("sv_SE", "a minus as long as a plus", "| -→−| 5→−5| ,→−5,| 2→−5,2| ∀→|−5,2| −→−|"),
    .init(
      "en_US", .currency(code: "EUR"), "a symbol in front stays there, and the caret after it",
      """
      €1,234.50| ⌫→€1,234.5| ⌫→€1,234.| ⌫→€1,234| ⌫→€123| ⇤→|€123 9→€9|,123 ⇤→|€9,123 ⌦→€|123 -→-€|123 ⌫→€|123 ⌫→€|123
      ∀→|€123| 5→€5| ⌫→| 5→5| €→€5| .→€5.| 2→€5.2| 5→€5.25| 0→✗
      """),
    .init(
      "de_DE", .currency(code: "EUR"), "a symbol after the number stays there, and the caret before it",
      """
      1.234,50␣€| 7→✗ ⌫→1.234,5|␣€ ⌫→1.234,|␣€ ⌫→1.234|␣€ ⇥→1.234␣€| 5→12.345|␣€ ⇥→12.345␣€| ⌫→1.234|␣€ ∀→|1.234␣€| «7,5»→7,5|␣€ ⌫→7,|␣€ ⌫→7|␣€
      """),
    .init(
      "de_CH", .currency(code: "EUR"), "a minus between symbol and number",
      "EUR-5.00| ⇤→|EUR-5.00 ⌦→EUR␣|5.00 -→EUR-|5.00 ⌫→EUR␣|5.00 ⌫→EUR␣|5.00"),
    .init(
      "fy_NL", .currency(code: "EUR"), "a minus after the number",
      "€␣5,00-| 1→✗ ⌫→€␣5,00| ⇤→|€␣5,00 -→€␣|5,00- ⌦→€␣0|,00-"),
    .init(
      "de_DE", .percent, "percent",
      "12,5␣%| ⌫→12,|␣% ⌫→12|␣% 3→123|␣% 4→1.234|␣% ∀→|1.234␣%| %→| 7→7| %→7|␣% ,→7,|␣% 2→7,2|␣% 5→7,25|␣% 1→✗"),
  ]
}
