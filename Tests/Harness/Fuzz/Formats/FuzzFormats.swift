import Foundation
import TidingsInteractors

/// Uses any bytes as a locale, a text, edits of it and a value. No format traps, written text is read back, and an accepted edit
/// leaves its selection within the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFormats(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = ByteReader(UnsafeRawBufferPointer(start: start, count: count))
  let locale = locale(&bytes)
  switch bytes.number(below: 6) {
  case 0: check(decimal(.number, locale, &bytes), &bytes, anyDecimal)
  case 1: check(decimal(.percent, locale, &bytes), &bytes, anyDecimal)
  case 2:
    let codes = ["EUR", "JPY", "KWD", "CHF", "XXX", bytes.text(upTo: 4)]
    check(decimal(.currency(code: codes[bytes.number(below: codes.count)]), locale, &bytes), &bytes, anyDecimal)
  case 3: check(integer(locale, &bytes), &bytes, anyInteger)
  case 4: check(decimal(.number, locale, &bytes).optional, &bytes) { $0.isOne(in: 5) ? nil : anyDecimal(&$0) }
  default:
    let format = PlainTextFormat(maximumLength: bytes.isOne(in: 2) ? bytes.number(below: 30) : nil)
    check(format, &bytes) { $0.text(upTo: 40) }
  }
  return 0
}

/// One that exists, or one that does not.
private func locale(_ bytes: inout ByteReader) -> Locale {
  let known = identifiers
  if bytes.isOne(in: 8) { return Locale(identifier: bytes.text(upTo: 24)) }
  return Locale(identifier: known[(bytes.number(below: 256) * 256 + bytes.number(below: 256)) % known.count])
}
private let identifiers = Locale.availableIdentifiers.sorted()

private struct FormatKey: Hashable {
  let style: DecimalFormat.Style?
  let locale: String
  let digits: Int
  let fraction: ClosedRange<Int>?
  let isNegative: Bool
  let isGrouped: Bool
}
// Reading the style of a locale takes a thousand times as long as an edit.
nonisolated(unsafe) private var decimals: [FormatKey: DecimalFormat] = [:]
nonisolated(unsafe) private var integers: [FormatKey: IntegerFormat] = [:]

private func decimal(_ style: DecimalFormat.Style, _ locale: Locale, _ bytes: inout ByteReader) -> DecimalFormat {
  let low = bytes.number(below: 4)
  let key = FormatKey(
    style: style, locale: locale.identifier, digits: 1 + bytes.number(below: 3) * 10,
    fraction: bytes.isOne(in: 2) ? low...(low + bytes.number(below: 8)) : nil, isNegative: !bytes.isOne(in: 3),
    isGrouped: !bytes.isOne(in: 3))
  if let known = decimals[key] { return known }
  if decimals.count > 2_000 { decimals = [:] }
  let format = DecimalFormat(
    style, locale: locale, maximumIntegerDigits: key.digits, fractionDigits: key.fraction,
    allowsNegative: key.isNegative, grouping: key.isGrouped)
  decimals[key] = format
  return format
}

private func integer(_ locale: Locale, _ bytes: inout ByteReader) -> IntegerFormat {
  let key = FormatKey(
    style: nil, locale: locale.identifier, digits: 1 + bytes.number(below: 18), fraction: nil,
    isNegative: !bytes.isOne(in: 3), isGrouped: true)
  if let known = integers[key] { return known }
  if integers.count > 2_000 { integers = [:] }
  let format = IntegerFormat(locale: locale, maximumDigits: key.digits, allowsNegative: key.isNegative)
  integers[key] = format
  return format
}

private func anyInteger(_ bytes: inout ByteReader) -> Int {
  switch bytes.number(below: 6) {
  case 0: .min
  case 1: .max
  case 2: Int(Int8(bitPattern: bytes.byte()))
  default: (0..<(1 + bytes.number(below: 8))).reduce(0) { number, _ in number << 8 | Int(bytes.byte()) }
  }
}

private func anyDecimal(_ bytes: inout ByteReader) -> Decimal {
  switch bytes.number(below: 8) {
  // NaN is written as an empty text, and an empty text is read as a different value.
  case 0, 1: return .greatestFiniteMagnitude
  case 2: return -.greatestFiniteMagnitude
  case 3: return .leastNonzeroMagnitude
  default:
    let exponent = Int(Int8(bitPattern: bytes.byte()))
    let significand = Decimal(anyInteger(&bytes)) * (bytes.isOne(in: 3) ? Decimal(anyInteger(&bytes)) : 1)
    return Decimal(sign: .plus, exponent: max(-120, min(80, exponent)), significand: significand)
  }
}

private func check<Format: TextFormat>(
  _ format: Format, _ bytes: inout ByteReader, _ value: (inout ByteReader) -> Format.Value
) where Format.Value: Equatable {
  checkRound(format, value(&bytes), of: "a value")
  var text = bytes.isOne(in: 2) ? format.format(value(&bytes)) : bytes.text(upTo: 24)
  for _ in 0..<8 {
    let start = bytes.number(below: text.count + 2)
    let replacement = bytes.text(upTo: 12)
    let edit = TextEdit(
      replacing: start..<start + bytes.number(below: 6), with: replacement,
      direction: bytes.isOne(in: 2) ? .forward : .backward)
    if let edited = try? format.edit(edit, of: text) {
      expect(
        edited.selection.lowerBound >= 0 && edited.selection.upperBound <= edited.text.count,
        "the selection \(edited.selection) is not in '\(edited.text)'")
      text = edited.text
    }
    if let read = try? format.parse(text) {
      // A line break, which no edit leaves, is written as a space.
      checkRound(format, read, of: "what '\(text)' is read as", isExact: !text.contains(where: \.isNewline))
    }
    if bytes.isEmpty { return }
  }
}

/// Checks that a written value can be read, and is then written as the same text.
///
/// - Parameter isExact: Whether the value read must equal `value`: the format has read it, so it fits the digits of the format.
private func checkRound<Format: TextFormat>(
  _ format: Format, _ value: Format.Value, of what: @autoclosure () -> String, isExact: Bool = false
) where Format.Value: Equatable {
  let written = format.format(value)
  do {
    let read = try format.parse(written)
    if isExact { expect(read == value, "\(what()), \(value), is written as '\(written)' and read as \(read)") }
    let again = format.format(read)
    expect(
      again == written, "\(what()), \(value), is written as '\(written)', read as \(read) and written as '\(again)'")
  } catch {
    expect(false, "\(what()), \(value), is written as '\(written)', which is rejected: \(error)")
  }
}
