import Dispatch
import SubjectObserver

/// The notification that the observers of both contenders receive. The observer adds to its tally.
private final class Notified: Notification {
  let data: Any?
  init(_ payload: Int) { data = payload }
}
private final class Adder: Observer {
  private let tally: Tally
  init(_ tally: Tally) { self.tally = tally }
  func notify(with notification: any Notification) { tally.add(1) }
}

final class SubjectObserverDialect: Contender, Sendable {
  static let name = "SubjectObserver"
  private let subject = Subject()

  func subscribe(_ tally: Tally) -> any Observer {
    let observer = Adder(tally)
    subject += observer
    return observer
  }

  func emit(_ payloads: Range<Int>) {
    let notification = Notified(0)
    for _ in payloads { subject ~> notification }
  }
}

/// Its seed, written again: a concurrent queue, barriers for writers, weak boxes in an array.
final class BarrierSubject: Contender, @unchecked Sendable {
  static let name = "a queue with barriers over weak boxes"

  private final class Box {
    weak var value: (any Observer)?
    init(_ value: any Observer) { self.value = value }
  }
  private var observers: [Box] = []
  private let queue = DispatchQueue(label: "subject", attributes: .concurrent)

  func subscribe(_ tally: Tally) -> any Observer {
    let observer = Adder(tally)
    queue.sync(flags: .barrier) { observers.append(Box(observer)) }
    return observer
  }

  func emit(_ payloads: Range<Int>) {
    let notification = Notified(0)
    for _ in payloads { send(notification) }
  }

  @inline(never)
  private func send(_ notification: any Notification) {
    queue.sync {
      // Several threads that swept simultaneously would race, as the seed's do; here there is nothing to sweep.
      for index in observers.indices.reversed() where observers[index].value == nil { observers.remove(at: index) }
      for observer in observers { observer.value?.notify(with: notification) }
    }
  }
}
