import Foundation
import Harness
import OpenCombine
import Tidings

/// How work scales with processors: the same work by one thread, and by two at the same time. Each thread uses its own values
/// unless the row says otherwise.
///
/// A figure is the wall time divided by the operations of one thread. If two threads do not disturb each other, "two threads, each"
/// costs 1.00 of "one thread", and the two do twice as much in the same time. If one has to wait for the other, it costs 2.00.
enum Cores {
  static let one = "one thread"
  static let two = "two threads, each"
  static let family = "cores"

  /// The work that a row measures.
  struct Work {
    let name: String
    /// Makes the state that both threads share, and returns a closure that makes the rest. Each thread calls this closure, so that
    /// its own state is in its own memory. The result does the given number of operations.
    let share: () -> () -> (Int) -> Void
  }

  static func rows() -> [Row] { all().map(row) }

  static func all() -> [Work] {
    values() + shared() + [
      work(RowName.cores("emit to 1 handler")) {
        let (event, sum) = (Event<Int>(), Tally())
        let token = event.observe { sum.add($0) }
        return { count in
          for number in 0..<count { event.emit(number) }
          withExtendedLifetime(token) {}
        }
      },
      work(RowName.cores("subscribe + cancel")) {
        let (event, sum) = (Event<Int>(), Tally())
        return { for _ in 0..<$0 { event.observe { sum.add($0) }.cancel() } }
      },
      work(RowName.cores("OpenCombine: read a value")) {
        let (subject, sum) = (CurrentValueSubject<Int, Never>(7), Tally())
        return { sum.add(mixed($0) { subject.value }) }
      },
      work(RowName.cores("OpenCombine: diamond 1-2-1")) {
        let (subject, sum) = (CurrentValueSubject<Int, Never>(-1), Tally())
        let token = subject.map { $0 &* 2 }.zip(subject.map { $0 &+ 1 }) { $0 &+ $1 }.sink { sum.add($0) }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(token) {}
        }
      },
      work(RowName.cores("OpenCombine: send to 1 handler")) {
        let (subject, sum) = (CurrentValueSubject<Int, Never>(-1), Tally())
        let token = subject.sink { sum.add($0) }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(token) {}
        }
      },
    ]
  }

  /// Each thread makes and uses its own.
  private static func values() -> [Work] {
    [
      work(RowName.cores("read a value")) {
        let (value, sum) = (Observed(7), Tally())
        return { sum.add(mixed($0) { value.value }) }
      },
      work(RowName.cores("set with 1 handler")) {
        let (value, sum) = (Observed(-1), Tally())
        let token = value.observe { sum.add($0.new) }
        return { count in
          for number in 0..<count { value.set(number) }
          withExtendedLifetime(token) {}
        }
      },
      work(RowName.cores("update")) {
        let value = Observed(0)
        return { for _ in 0..<$0 { value.update { $0 &+= 1 } } }
      },
      work(RowName.cores("diamond 1-2-1")) {
        watched { source in
          let (twice, next) = (Derived { source.value &* 2 }, Derived { source.value &+ 1 })
          return [Derived { twice.value &+ next.value }]
        }
      },
      work(RowName.cores("wide 1-100")) {
        watched { source in (0..<100).map { index in Derived { source.value &+ index } } }
      },
      work(RowName.cores("deep 10")) { watched { [chain(from: $0, 10)] } },
      work(RowName.cores("make and drop a value")) {
        { for number in 0..<$0 { withExtendedLifetime(Observed(number)) {} } }
      },
      work(RowName.cores("make and drop a derived value")) {
        let value = Observed(0)
        return { for _ in 0..<$0 { withExtendedLifetime(Derived { value.value }) { _ = $0.value } } }
      },
      work(RowName.cores("transaction of 4 sets")) {
        // Not in an array, whose elements are retained one by one for the loop.
        let (first, second, third, fourth) = (Observed(0), Observed(0), Observed(0), Observed(0))
        return { count in
          for number in 0..<count {
            transaction {
              first.set(number)
              second.set(number)
              third.set(number)
              fourth.set(number)
            }
          }
        }
      },
    ]
  }

  /// Both threads have the same, in whole or in part.
  private static func shared() -> [Work] {
    [
      work(RowName.cores("read one shared value"), sharing: Observed(7)) { value in
        let sum = Tally()
        return { sum.add(mixed($0) { value.value }) }
      },
      work(RowName.cores("read one shared derived value"), sharing: Observed(7).map { $0 &+ 1 }) { value in
        let sum = Tally()
        return { sum.add(mixed($0) { value.value }) }
      },
      work(RowName.cores("own chain of 10 on one shared source"), sharing: Observed(1)) { shared in
        watched { own in [chain(from: Derived { own.value &+ shared.value }, 10)] }
      },
      work(RowName.cores("update one shared value"), sharing: Observed(0)) { value in
        { for _ in 0..<$0 { value.update { $0 &+= 1 } } }
      },
    ]
  }

  /// One set of a source, with a handler for each value that is computed from it.
  private static func watched(_ make: (Observed<Int>) -> [Derived<Int>]) -> (Int) -> Void {
    let (source, sum) = (Observed(-1), Tally())
    let tokens = make(source).map { $0.observe { sum.add($0.new) } }
    return { count in
      for number in 0..<count { source.set(number) }
      withExtendedLifetime(tokens) {}
    }
  }
  private static func chain(from first: some ValueSource<Int>, _ length: Int) -> Derived<Int> {
    var last = Derived { first.value }
    for _ in 1..<length {
      let before = last
      last = Derived { before.value &+ 1 }
    }
    return last
  }

  /// Something is done with what is read, which waits for what was done before. Nothing but reads would be six instructions a cycle
  /// and measure what else runs on the core; and a sum in memory, whether its address suits that of the value.
  @inline(__always)
  private static func mixed(_ count: Int, _ read: () -> Int) -> Int {
    var mixed = 1
    for _ in 0..<count { mixed = (((mixed &+ read()) &* 31 ^ 5) &* 17 ^ 3) &* 13 }
    return mixed
  }

  private static func work(_ name: String, _ make: @escaping () -> (Int) -> Void) -> Work { Work(name: name) { make } }
  private static func work<Shared>(
    _ name: String, sharing shared: @escaping @autoclosure () -> Shared, _ make: @escaping (Shared) -> (Int) -> Void
  ) -> Work {
    Work(name: name) {
      let shared = shared()
      return { make(shared) }
    }
  }

  private static func row(_ work: Work) -> Row {
    Row(
      work.name, family: family, floor: one,
      [
        .timed(one) {
          let work = work.share()()
          return { count in
            let stopwatch = Stopwatch(.wall)
            work(count)
            return Timing(nanoseconds: stopwatch.nanoseconds, operations: count)
          }
        },
        .timed(two) {
          let make = work.share()
          return { count in
            Timing(nanoseconds: Processors.apart { Threads.both(make, count) }, operations: count)
          }
        },
      ])
  }
}
