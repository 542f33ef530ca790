import Testing

@testable import Tidings

@Suite("Consumer pace")
struct ConsumerPaceTests {
  @Test("A consumer that took few values without sleeping waits before it takes more")
  func few() { #expect(waits([.took(2)]) == [false, true]) }

  @Test("A consumer that took many values, or slept before, does not wait")
  func manyOrSlept() { #expect(waits([.took(16), .sleptAndTook(2)]) == [false, false, false]) }

  @Test("A consumer that goes on to take few values goes on to wait while waiting brings some")
  func worthWaiting() {
    let steps = [Step](repeating: .took(4), count: 100)
    #expect(waits(steps) == [false] + steps.map { _ in true })
  }

  @Test("A consumer that has waited in vain four times does not wait again until it has slept")
  func inVain() {
    let inVain = [Step](repeating: .took(1), count: 100)
    #expect(waits(inVain).count { $0 } == 4)
    #expect(waits(inVain + [.sleptAndTook(1), .took(1)]).last == true)
  }

  private enum Step {
    case took(Int)
    case sleptAndTook(Int)
  }
  /// Whether the consumer waits before each step, and after the last.
  private func waits(_ steps: [Step]) -> [Bool] {
    var (pace, waits) = (ConsumerPace(), [Bool]())
    for step in steps {
      waits.append(pace.isToWait())
      switch step {
      case .took(let count): pace.took(count, hasSlept: false)
      case .sleptAndTook(let count): pace.took(count, hasSlept: true)
      }
    }
    return waits + [pace.isToWait()]
  }
}
