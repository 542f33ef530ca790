/// Stages behind one another.
final class Line {
  private let operators: [Operator]
  private var stages: [Stage]
  private(set) var hasEnded = false
  /// Whether the values of the source still arrive.
  private(set) var isConnected = true
  /// Returns the values that a subscription to the source of the line receives first.
  private let first: () -> [Int]
  private let sourceHasEnded: () -> Bool

  init(_ operators: [Operator], first: @escaping () -> [Int], sourceHasEnded: @escaping () -> Bool) {
    (self.operators, self.first, self.sourceHasEnded) = (operators, first, sourceHasEnded)
    stages = operators.map(\.stage)
  }

  /// Returns the values that pass at the beginning: the first values of each stage, those of the last stage first.
  func begin() -> [Int] {
    let outputs = begin(before: stages.count)
    if sourceHasEnded() { endSource() }
    return outputs
  }
  private func begin(before count: Int) -> [Int] {
    var outputs: [Int] = []
    for place in (0..<count).reversed() { for value in stages[place].initial { outputs += pass(value, to: place + 1) } }
    for value in first() { outputs += pass(value, to: 0) }
    return outputs
  }

  func accept(_ value: Int) -> [Int] { isConnected ? pass(value, to: 0) : [] }
  func acceptSecond(_ value: Int) -> [(value: Int, isFromSecond: Bool)] {
    var outputs: [(value: Int, isFromSecond: Bool)] = []
    for place in stages.indices where operators[place].hasSecond && !hasEnded {
      if operators[place] == .livingFlatMap {
        // The source is selected anew: its operators begin again.
        for earlier in 0..<place { stages[earlier] = operators[earlier].stage }
        isConnected = !sourceHasEnded()
        outputs += begin(before: place).map { ($0, false) }
      } else {
        for value in stages[place].acceptSecond(value) { outputs += pass(value, to: place + 1).map { ($0, true) } }
        completed(place)
      }
    }
    return outputs
  }
  private func pass(_ value: Int, to place: Int) -> [Int] {
    if hasEnded { return [] }
    if place == stages.count { return [value] }
    let outputs = stages[place].accept(value).flatMap { pass($0, to: place + 1) }
    completed(place)
    return outputs
  }
  private func completed(_ place: Int) { if stages[place].isComplete() { end(place + 1) } }

  func endSource() {
    guard isConnected else { return }
    isConnected = false
    end(0)
  }
  /// The source of the stage at that place has ended.
  private func end(_ place: Int) {
    if place == stages.count { hasEnded = true } else if stages[place].endsWithSource() { end(place + 1) }
  }
}
