import Foundation

/// A logarithmic axis: the place of each value.
struct Scale {
  let low: Double
  let high: Double
  let start: Double
  let end: Double

  /// Nothing has no logarithm: zero is drawn a step before the smallest.
  static func sizes(_ values: [Double], from start: Double, to end: Double) -> Scale {
    let positive = values.filter { $0 > 0 }
    let (least, most) = (log10(positive.min() ?? 1), log10(positive.max() ?? 1))
    let step = values.contains { $0 <= 0 } ? max(0.5, (most - least) / 6) : 0
    return Scale(low: least - step, high: max(most, least + 1), start: start, end: end)
  }

  /// From one power of ten to another.
  static func costs(_ values: [Double], from start: Double, to end: Double) -> Scale {
    let positive = values.filter { $0 > 0 }
    let (least, most) = (log10(positive.min() ?? 1).rounded(.down), log10(positive.max() ?? 1).rounded(.up))
    return Scale(low: least, high: max(most, least + 1), start: start, end: end)
  }

  func place(of value: Double) -> Double {
    let share = value > 0 ? (log10(value) - low) / (high - low) : 0
    return start + (end - start) * min(1, max(0, share))
  }

  /// The powers of ten, and twos and fives where those are few.
  var ticks: [Double] {
    let steps: [Double] = high - low > 3 ? [1] : high - low > 1 ? [1, 3] : [1, 2, 5]
    return (Int(low.rounded(.down))...Int(high.rounded(.up)))
      .flatMap { power in steps.map { $0 * pow(10, Double(power)) } }
      .filter { log10($0) >= low - 1e-9 && log10($0) <= high + 1e-9 }
  }

  static func label(_ value: Double) -> String {
    if value >= 1e6 { return short(value / 1e6) + "M" }
    if value >= 1e3 && value.truncatingRemainder(dividingBy: 100) == 0 { return short(value / 1e3) + "k" }
    return short(value)
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String((value * 1000).rounded() / 1000)
  }
}
