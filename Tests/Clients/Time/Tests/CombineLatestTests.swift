import AsyncAlgorithms
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(20)))
struct CombineLatestTests {
  @Test func `The latest of each is given from the first of both on, whenever one comes`() async {
    var bid: Event<Int>? = Event("market.bid")
    var ask: Event<Int>? = Event("market.ask")
    let spread = Recorder<[Int]>()
    @Sendable func show(_ bid: Int, _ ask: Int) { spread([bid, ask]) }
    let (bids, asks) = (bid!.stream(), ask!.stream())
    let showing = Task {
      for await (bid, ask) in combineLatest(bids, asks) { show(bid, ask) }
    }

    bid?.emit(10)
    ask?.emit(12)
    #expect(await spread.values(atLeast: 1) == [[10, 12]])
    bid?.emit(11)
    #expect(await spread.values(atLeast: 2) == [[10, 12], [11, 12]])
    ask?.emit(13)
    #expect(await spread.values(atLeast: 3) == [[10, 12], [11, 12], [11, 13]])
    bid = nil
    ask?.emit(14)
    #expect(await spread.values(atLeast: 4) == [[10, 12], [11, 12], [11, 13], [11, 14]])
    ask = nil
    await showing.value
    #expect(spread.values.count == 4)
  }

  @Test func `Of values, one stream of both combined has no pair that never was`() async {
    let (bid, ask) = (Observed(10), Observed(12))
    let spread = Recorder<[Int]>()
    @Sendable func show(_ bid: Int, _ ask: Int) { spread([bid, ask]) }
    let spreads = combine(bid, ask).stream(.every)
    let showing = Task {
      for await (bid, ask) in spreads { show(bid, ask) }
    }
    for step in 1...100 {
      transaction {
        bid.set(10 + step)
        ask.set(12 + step)
      }
    }
    #expect(await spread.values(atLeast: 101) == (0...100).map { [10 + $0, 12 + $0] })
    spreads.subscription.cancel()
    await showing.value
  }
}
