import TestSupport
import Tidings
import TidingsTesting

/// An event to which another thread emits 20 while a handler waits, so that the thread that delivers delivers that as well.
struct InterruptedEvent {
  let event = Event<Int>()
  private let entered = Gate()
  private let queued = Gate()

  /// From now on another thread emits as soon as a handler waits.
  func arm() {
    Threads.start { [self] in
      entered.wait()
      event.emit(20)
      queued.open()
    }
  }
  /// Returns to the handler that calls it when the other thread has emitted.
  func waitForTheOther() {
    entered.open()
    queued.wait()
  }
}

/// A derived value that emits 1 when its first result is destroyed, to an event whose handler then waits for another thread's 20.
struct DeliveringDeinit {
  let source = Observed(0)
  let replaced: Derived<DeinitCallback>
  private let interrupted = InterruptedEvent()
  private let isArmed = Tally()

  init() {
    let (event, source, isArmed) = (interrupted.event, source, isArmed)
    replaced = Derived {
      let number = source.value
      return DeinitCallback { if number == 0, isArmed.total > 0 { event.emit(1) } }
    }
  }

  /// - Parameter handler: Is given what the other thread has emitted.
  func observe(_ handler: @escaping @Sendable (Int) -> Void) -> Subscription {
    interrupted.event.observe { [interrupted] number in
      if number == 1 { interrupted.waitForTheOther() } else { handler(number) }
    }
  }
  func arm() {
    isArmed.add(1)
    interrupted.arm()
  }
  /// A handler of a value that depends on `source` and keeps `replaced` fresh.
  func observeReader() -> Subscription { readerOf(replaced, source).observe { _ in } }
}

/// A value that reads a replaced one and its source, so that a change of the source destroys what was replaced.
func readerOf(_ replaced: Derived<DeinitCallback>, _ source: Observed<Int>) -> Derived<Int> {
  Derived {
    replaced.value.touch()
    return source.value
  }
}
