import Tidings

final class ModelAnswer {
  let factor: Int
  var token: Subscription?
  init(_ factor: Int) { self.factor = factor }
}

final class ModelLocalAnswer {
  let factor: Int
  var token: LocalSubscription?
  var isEnded = false
  init(_ factor: Int) { self.factor = factor }
}

extension Machine {
  func operateOnHooks() {
    let input = bytes.number(below: 10)
    switch bytes.number(below: 8) {
    case 0: answer()
    case 1:
      guard !answers.isEmpty else { return }
      answers.remove(at: bytes.number(below: answers.count)).token?.cancel()
    case 2:
      ask(input) {
        await $0.all(input)
      } expected: {
        $0.map { $0 * input }
      }
    case 3:
      ask(input) {
        [await $0.first(input) { $0 > 20 }]
      } expected: { factors in
        [factors.map { $0 * input }.first { $0 > 20 }]
      }
    case 4: answerLocally()
    case 5:
      guard !localAnswers.isEmpty else { return }
      let removed = localAnswers.remove(at: bytes.number(below: localAnswers.count))
      removed.isEnded = true
      removed.token?.cancel()
    default:
      let factors = localAnswers.map(\.factor)
      expect(localHook.all(input) == factors.map { $0 + input }, "the local hook's answers")
      expect(localHook.first(input) == factors.first.map { $0 + input }, "the local hook's first answer")
    }
  }

  private func answer() {
    guard answers.count < 20 else { return }
    let (factor, captured) = (1 + bytes.number(below: 9), Captured())
    let model = ModelAnswer(factor)
    model.token = hook.handle { input in
      captured.touch()
      return input * factor
    }
    answers.append(model)
  }

  private func answerLocally() {
    guard localAnswers.count < 20 else { return }
    let (factor, captured) = (1 + bytes.number(below: 9), Captured())
    let model = ModelLocalAnswer(factor)
    model.token = localHook.handle { input in
      captured.touch()
      return input + factor
    }
    localAnswers.append(model)
  }

  private func ask<Answer: Equatable & Sendable>(
    _ input: Int, _ question: @escaping @Sendable (Hook<Int, Int, Never>) async -> [Answer],
    expected: ([Int]) -> [Answer]
  ) {
    let (outcome, hook) = (Outcome<[Answer]>(), hook)
    Task(executorPreference: pool) { outcome.value = await question(hook) }
    pool.drain()
    expect(outcome.value == expected(answers.map(\.factor)), "the hook answers \(outcome.value as Any)")
  }
}
