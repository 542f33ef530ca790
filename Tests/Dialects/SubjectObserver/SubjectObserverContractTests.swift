import SubjectObserver
import Testing
import TidingsTesting

/// An observer of numbers on a subject, which lives as long as this is kept.
private final class Observation: Sendable {
  private final class Receiving: Observer, Sendable {
    let handler: @Sendable (Int) -> Void
    init(_ handler: @escaping @Sendable (Int) -> Void) { self.handler = handler }
    func notify(with notification: any Notification) { handler(notification.data as? Int ?? -1) }
  }
  private weak let subject: Subject?
  private let receiving: Receiving

  init(_ subject: Subject, _ handler: @escaping @Sendable (Int) -> Void) {
    self.subject = subject
    receiving = Receiving(handler)
    subject += receiving
  }
  func remove() { subject.map { $0 --= receiving } }
  func dispose() { subject.map { $0 -= receiving } }
}

/// The same of delegates, whose one method takes a number.
private final class Delegation: Sendable {
  final class Receiving: Sendable {
    let handler: @Sendable (Int) -> Void
    init(_ handler: @escaping @Sendable (Int) -> Void) { self.handler = handler }
  }
  private weak let delegates: MulticastDelegate<Receiving>?
  private let receiving: Receiving

  init(_ delegates: MulticastDelegate<Receiving>, _ handler: @escaping @Sendable (Int) -> Void) {
    self.delegates = delegates
    receiving = Receiving(handler)
    delegates.add(receiving)
  }
  func remove() { delegates?.remove(receiving) }
}

@Suite("SubjectObserver: the contract", .timeLimit(.minutes(20)))
struct SubjectObserverContractTests {
  private func check<Source, Token>(_ type: EventUnderTest<Source, Token>) async {
    var type = type
    type.isThreadSafe = true
    type.dropCancels = true
    type.maximumDepth = 200
    await expectContract(
      type,
      except: [
        2: "threads send at the same time, as the original's readers do",
        4: "what an observer sends reaches all before it returns",
        15: "an observer belongs to the code that made it: there are no captures that a subject could release",
      ], kept: [1, 3, 5, 6, 9, 10, 11, 14, 23])
  }

  @Test("A subject keeps every sentence but those of one order for all and of captures", arguments: ["--=", "-="])
  func subject(removal: String) async {
    await check(
      EventUnderTest<Subject, Observation>(
        "Subject, \(removal)", make: { Subject() }, add: { Observation($0, $1) },
        emit: { $0.send(notification: Number($1)) },
        cancel: { removal == "-=" ? $0.dispose() : $0.remove() }))
  }

  @Test("A multicast delegate keeps every sentence but those of one order for all and of captures")
  func multicastDelegate() async {
    typealias Delegates = MulticastDelegate<Delegation.Receiving>
    await check(
      EventUnderTest<Delegates, Delegation>(
        "MulticastDelegate", make: { Delegates() }, add: { Delegation($0, $1) },
        emit: { delegates, value in delegates.invoke { $0.handler(value) } }, cancel: { $0.remove() }))
  }
}
