import Foundation
import Tidings

/// The answering side of a relayed hook: asks the handlers of this process, and sends what they answer.
final class HookAnswering<Input: Sendable, Output: Sendable>: Sendable {
  let hook: Hook<Input, Output, any Error>
  private let subject: String
  private let answers: Schema<HookMessage<Output>>
  private let link: RelayLink
  private let outbox: Outbox
  private let origin: String
  /// How many questions are with handlers at a time; the others wait in the inbox, which is bounded.
  private let window = Window(64)

  init(_ subject: String, _ answers: Schema<HookMessage<Output>>, _ link: RelayLink, _ outbox: Outbox) {
    (self.subject, self.answers, self.link, self.outbox) = (subject, answers, link, outbox)
    hook = Hook(subject)
    origin = link.makeOrigin()
  }

  /// The subject to which answers are sent: each object that asks has its own.
  static func subject(_ hook: String, replyTo: String) -> String { "\(hook).answers.\(replyTo)" }

  /// Returns when the handlers may be asked, not when they have answered.
  func take(_ question: HookMessage<Input>, hops: Int) async {
    guard let input = question.payload, let replyTo = question.header.replyTo else { return }
    await window.enter()
    Task.detached { [self] in
      defer { window.leave() }
      let asking = Task { [hook] in
        try await Hops.$current.withValue(hops + 1) { try await hook.all(input, isolation: nil) }
      }
      // The asker waits no longer.
      let expiring = Task {
        try? await Task.sleep(for: .milliseconds(question.header.milliseconds ?? 0))
        asking.cancel()
      }
      let result = await asking.result
      expiring.cancel()
      var header = HookHeader(question: question.header.question)
      switch result {
      case .success(let outputs):
        for output in outputs { send(HookMessage(header: header, payload: output), replyTo, hops) }
      case .failure(let error):
        header.error = String("\(error)".prefix(1_024))
        send(HookMessage(header: header), replyTo, hops)
      }
    }
  }

  private func send(_ answer: HookMessage<Output>, _ replyTo: String, _ hops: Int) {
    let subject = Self.subject(subject, replyTo: replyTo)
    let item = Outbox.Item(subject: subject) { [answers, origin] in
      RemoteMessage(
        subject: subject, id: "", origin: origin, hops: min(hops + 1, Hops.limit), schema: answers.name,
        version: answers.version, body: try answers.encode(answer))
    }
    if !outbox.append(item) { link.fail(.dropped(subject: subject, count: 1, reason: "the relay is closed")) }
  }
}
