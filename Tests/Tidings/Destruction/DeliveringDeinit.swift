import Tidings
import TidingsTesting

/// A derived value that emits 1 when its first result is destroyed. The handler waits there until another thread has emitted 20, so
/// that the thread which destroys delivers that as well.
struct DeliveringDeinit {
  let source = Observed(0)
  let replaced: Derived<DeinitCallback>
  private let event = Event<Int>()
  private let entered = Gate()
  private let queued = Gate()
  private let isArmed = Tally()

  init() {
    let (event, source, isArmed) = (event, source, isArmed)
    replaced = Derived {
      let number = source.value
      return DeinitCallback { if number == 0, isArmed.total > 0 { event.emit(1) } }
    }
  }

  /// - Parameter handler: Is given what the other thread has emitted.
  func observe(_ handler: @escaping @Sendable (Int) -> Void) -> Subscription {
    event.observe { [entered, queued] number in
      if number != 1 { return handler(number) }
      entered.open()
      queued.wait()
    }
  }
  /// From now on the destruction emits, and another thread does as soon as the handler waits.
  func arm() {
    isArmed.add(1)
    Threads.start { [entered, queued, event] in
      entered.wait()
      event.emit(20)
      queued.open()
    }
  }
}
