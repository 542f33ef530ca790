import Synchronization
import Tidings

/// Questions from several tasks, while a handler is added and cancelled again and again and another one throws.
final class HookLoad: Sendable {
  private let hook = Hook<Int, Int, Never>("soak.hook")
  private let rejecting = Hook<Int, Int, Rejection>("soak.rejecting")
  private let receiver = Receiver()
  private let statistics: Statistics

  private struct Rejection: Error, Equatable { let input: Int }

  init(_ statistics: Statistics) { self.statistics = statistics }

  func round(questions: Int, seed: UInt64) async {
    let tokens = [
      hook.handle { $0 + 1 },
      hook.handle { @MainActor input in input + 2 },
      hook.handle(with: receiver) { _, input in input + 3 },
      hook.handle { input in
        if input % 50 == 0 { await Task.yield() }
        return input + 4
      },
    ]
    let rejections = rejecting.handle { input throws(Rejection) in
      if input % 3 == 0 { throw Rejection(input: input) }
      return input
    }
    await withTaskGroup(of: Void.self) { group in
      for asker in 0..<3 {
        group.addTask { [hook, rejecting] in
          for number in 0..<questions {
            let input = asker * questions + number
            let answers = await hook.all(input)
            let expected = [1, 2, 3, 4].map { input + $0 }
            check(
              Array(answers.prefix(4)) == expected && answers.dropFirst(4).allSatisfy { $0 == input + 5 }
                && answers.count <= 5, "the answers to \(input) are \(answers)")
            check(await hook.first(input) == input + 1, "the first answer to \(input) is another")
            do throws(Rejection) {
              let answers = try await rejecting.all(input)
              check(answers == [input] && input % 3 > 0, "no error was thrown for \(input)")
            } catch {
              check(error == Rejection(input: input) && input % 3 == 0, "another error was thrown for \(input)")
            }
          }
        }
      }
      group.addTask { [hook] in
        for _ in 0..<questions {
          let (ballast, end) = (Ballast(.hookHandler), Flag())
          let token = hook.handle { input in
            check(ballast.isIntact && !end.isSet, "a handler was asked after its end")
            return input + 5
          }
          await Task.yield()
          await token.finish()
          end.set()
        }
      }
    }
    for token in tokens { token.cancel() }
    rejections.cancel()
    check(await hook.all(0).isEmpty, "a cancelled handler answers")
    statistics.count("questions", 9 * questions)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}
