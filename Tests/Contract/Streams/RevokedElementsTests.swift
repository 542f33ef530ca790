import Testing
import Tidings

@Suite("6, 26. `cancelAll()` takes its source's values out of a stream, and no others")
struct RevokedElementsTests {
  @Test("Those of earlier selections are dropped with the last, though a source reaches the stream twice")
  func earlierSelections() async {
    let (event, chosen) = (Event<Int>(), Event<Int>())
    let pairs = event.zip(event.map { -$0 }).map { "\($0.0) \($0.1)" }
    var elements = chosen.flatMapLatest { _ in pairs }.stream().makeAsyncIterator()
    chosen.emit(1)
    event.emit(1)
    event.emit(2)
    chosen.emit(2)
    event.emit(3)
    #expect(await elements.next() == "1 -1")
    event.cancelAll()
    event.finish()
    chosen.finish()
    #expect(await elements.next() == nil)
  }

  enum Buffering: CaseIterable {
    case unbounded, newest, oldest
    var policy: BufferingPolicy {
      switch self {
      case .unbounded: .unbounded
      case .newest: .newest(4)
      case .oldest: .oldest(4)
      }
    }
    /// The numbers of what is received of 1, 3 and 5, when 0 to 5 came and 0, 2 and 4 were revoked.
    var received: [Int] {
      switch self {
      case .unbounded: [1, 3, 5]
      case .newest: [3, 5]
      case .oldest: [1, 3]
      }
    }
  }

  @Test("The others keep their order and their numbers", arguments: Buffering.allCases)
  func numbers(buffering: Buffering) async {
    let (first, second) = (Event<Int>(), Event<Int>())
    var elements = first.merge(second).stream(buffering: buffering.policy).numbered.makeAsyncIterator()
    for value in 0..<6 { (value.isMultiple(of: 2) ? first : second).emit(value) }
    first.cancelAll()
    first.finish()
    second.emit(6)
    second.finish()
    var received: [Int] = []
    while let (number, value) = await elements.next() {
      received.append(value)
      #expect(number == value)
    }
    #expect(received == buffering.received + [6])
  }
}
