import AsyncAlgorithms
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(20)))
struct MergeTests {
  @Test func `Merged streams give what each gives, and end when all have ended`() async {
    var opened: Event<String>? = Event("door.opened")
    var closed: Event<String>? = Event("door.closed")
    let log = Recorder<String>()
    let (openings, closings) = (opened!.stream(), closed!.stream())
    let logging = Task {
      for await door in merge(openings, closings) { log(door) }
    }

    opened?.emit("front opened")
    #expect(await log.values(atLeast: 1) == ["front opened"])
    closed?.emit("front closed")
    #expect(await log.values(atLeast: 2) == ["front opened", "front closed"])
    opened = nil
    closed?.emit("back closed")
    #expect(await log.values(atLeast: 3) == ["front opened", "front closed", "back closed"])
    closed = nil
    await logging.value
    #expect(log.values.count == 3)
  }

  @Test func `Merged streams give what waits in any order, one stream of merged events in its own`() async {
    var (odd, even): (Event<Int>?, Event<Int>?) = (Event(), Event())
    let streams = merge(odd!.stream(), even!.stream())
    let events = odd!.merge(even!).stream()
    for value in 0..<100 { (value % 2 == 0 ? even : odd)?.emit(value) }
    (odd, even) = (nil, nil)

    var (all, ordered): ([Int], [Int]) = ([], [])
    for await value in streams { all.append(value) }
    for await value in events { ordered.append(value) }
    #expect(ordered == Array(0..<100))
    #expect(all.filter { $0 % 2 == 0 } == Array(stride(from: 0, to: 100, by: 2)))
    #expect(all.filter { $0 % 2 == 1 } == Array(stride(from: 1, to: 100, by: 2)))
    #expect(all.count == 100)
  }
}
