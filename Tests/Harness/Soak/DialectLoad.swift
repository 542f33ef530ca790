import ClosureEvents
import EventDispatching
import ObservableSwift
import SimpleNotifier
import SubjectObserver
import Synchronization

import protocol SubjectObserver.Notification

/// The five dialects: two threads, each with notifiers of its own, and observers of one subject that come and end.
struct DialectLoad: Sendable {
  let statistics: Statistics

  private final class Sender: Sendable {}
  private struct Number: EventArgs { let number: Int }
  private final class Sent: Notification {
    let data: Any?
    init(_ number: Int) { data = number }
  }
  /// Each number once, in order.
  private final class Sequence: Observer, Sendable {
    private let next = Atomic(0)
    let name: String
    init(_ name: String) { self.name = name }
    func receive(_ number: Int) {
      let expected = next.load(ordering: .relaxed)
      check(number == expected, "\(name): \(number) came where \(expected) was next")
      next.store(expected + 1, ordering: .relaxed)
    }
    func notify(with notification: any Notification) {
      receive(notification.data as? Int ?? -1)
    }
    var count: Int { next.load(ordering: .relaxed) }
  }
  /// An observer of a subject to which several threads send.
  private final class Passing: Observer, Sendable {
    private let count = Atomic(0)
    func notify(with notification: any Notification) { count.wrappingAdd(1, ordering: .relaxed) }
    var received: Int { count.load(ordering: .relaxed) }
  }

  func round(values: Int) async {
    let (subject, steady) = (Subject(), Passing())
    subject += steady
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await onThread {
            send(values)
            for number in 0..<values {
              let passing = Passing()
              subject += passing
              subject ~> Sent(number)
              check(passing.received > 0, "an observer was not notified")
              // Every second one ends here, and its place is swept.
              if number % 2 == 0 { subject -= passing }
            }
          }
        }
      }
    }
    check(steady.received == 2 * values, "an observer received \(steady.received) of \(2 * values) notifications")
    statistics.count("values of dialects", 2 * 6 * values)
  }

  private func send(_ count: Int) {
    let sender = Sender()
    let all = ["ClosureEvents", "SimpleNotifier", "EventDispatching", "SubjectObserver", "ObservableSwift"].map(
      Sequence.init)
    let closures = ClosureEvents.Event<Sender, Number>(sender: sender, delivery: .immediate)
    let closure = Closure<Sender, Number> { _, args in all[0].receive(args.number) }
    closures += closure
    let notifier = Notifier<Int>()
    notifier.observe { all[1].receive($0) }
    let dispatch = EventDispatch<Int>()
    dispatch += { all[2].receive($0) }
    let subject = Subject()
    subject += all[3]
    var observable = Observable(-1)
    observable += { all[4].receive($0) }
    for number in 0..<count {
      closures.invoke(with: Number(number: number))
      notifier.send(number)
      dispatch <- number
      subject ~> Sent(number)
      observable <- number
    }
    for sequence in all { check(sequence.count == count, "\(sequence.name): \(sequence.count) of \(count) values") }
    closures -= closure
  }
}
