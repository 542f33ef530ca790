import Testing
import Tidings
import TidingsTesting

@Suite("31. What operators over several subscriptions and sources do when a source has ended", .timeLimit(.minutes(20)))
struct EndedSourcesTests {
  enum Ending: CaseIterable {
    case finish, deinitialize, finishBefore
  }
  enum Handling: CaseIterable {
    case plain, actor, stream
  }

  /// Every way of ending, of each source, with and without values left, with each kind of handler.
  @Test("`zip` ends when a source has ended and each of its values has been paired", arguments: Ending.allCases)
  func zipEnds(_ ending: Ending) async {
    for policy in [DeliveryPolicy.serial, .immediate] {
      for (isFirst, left) in [(true, 0), (true, 2), (false, 0), (false, 2)] where ending != .finishBefore || left == 0 {
        for handling in Handling.allCases {
          let name = Comment(
            rawValue: "\(ending), \(policy), \(isFirst ? "first" : "second"), \(left) left, \(handling)")
          await check(ending, policy, isFirst, left, handling, name)
        }
      }
    }
  }
  private func check(
    _ ending: Ending, _ policy: DeliveryPolicy, _ isFirst: Bool, _ left: Int, _ handling: Handling, _ name: Comment
  ) async {
    let going = Event<Int>(policy: policy)
    var source: Event<Int>? = Event(policy: policy)
    if ending == .finishBefore { source?.finish() }
    // The pairs list both sources in the same order, independent of which source ends.
    var pairs = source.map { isFirst ? $0.zip(going) : going.zip($0).map { ($0.1, $0.0) } }
    let (received, listener) = (Recorder<[Int]>(), Listener())
    var (token, stream): (Subscription?, EventStream<(Int, Int)>?) = (nil, nil)
    switch handling {
    case .plain: token = pairs?.observe { received([$0.0, $0.1]) }
    case .actor:
      token = pairs?.observe(with: listener) { listener, pair in listener.note(pair.0 * 10 + pair.1) }
    case .stream: stream = pairs?.stream()
    }
    let subscription = token ?? stream?.subscription
    let paired = ending == .finishBefore ? 0 : 1 + left
    for number in 0..<paired { source?.emit(number) }
    if paired > 0 { going.emit(0) }
    if ending == .finish { source?.finish() }
    // `zip` retains its sources, its subscription does not.
    pairs = nil
    if ending == .deinitialize { source = nil }
    for number in 1..<max(1, paired) {
      #expect(subscription?.isActive == true, name)
      going.emit(number)
    }
    #expect(subscription?.isActive == false, name)
    #expect(going.diagnostics.count == 0, name)
    going.emit(9)
    let expected = (0..<paired).map { [$0, $0] }
    switch handling {
    case .plain: #expect(received.values == expected, name)
    case .actor:
      await token?.drained()
      #expect(await listener.received == expected.map { $0[0] * 10 + $0[1] }, name)
    case .stream:
      let all = await stream?.all() ?? []
      #expect(all.map { [$0.0, $0.1] } == expected, name)
    }
  }

  @Test("`zip` ends with its other source after an end that came in a pause")
  func zipEndsAfterPause() {
    let (first, second) = (Event<Int>(), Event<Int>())
    let token = first.zip(second).observe { _ in }
    token.pause()
    first.finish()
    token.resume()
    second.finish()
    #expect(!token.isActive)
  }

  @Test("`zip` keeps no pair that it has delivered while one side stays ahead", arguments: [true, false])
  func zipReleasesPairs(isFirstAhead: Bool) {
    let (canaries, ahead, behind) = (Canaries(), Event<Canary>(), Event<Int>())
    let token = isFirstAhead ? ahead.zip(behind).observe { _ in } : behind.zip(ahead).observe { _ in }
    ahead.emit(canaries.make())
    for value in 0..<100 {
      ahead.emit(canaries.make())
      behind.emit(value)
      #expect(canaries.alive == 1)
    }
    token.cancel()
    #expect(canaries.alive == 0)
  }

  @Test(
    "A subscription to `replay` that is made after its source has ended receives the last values and ends",
    arguments: [Ending.finish, .deinitialize], [DeliveryPolicy.serial, .immediate])
  func lateReplay(_ ending: Ending, policy: DeliveryPolicy) async {
    var event: Event<Int>? = Event(policy: policy)
    let (received, listener) = (Recorder<Int>(), Listener())
    let recent = event?.map { $0 }.replay(2)
    for value in 1...3 { event?.emit(value) }
    if ending == .finish { event?.finish() } else { event = nil }
    for _ in 0..<2 {
      let token = recent?.observe { received($0) }
      #expect(token?.isActive == false)
    }
    #expect(received.values == [2, 3, 2, 3])
    let token = recent?.observe(with: listener) { listener, value in listener.note(value) }
    await token?.drained()
    #expect(await listener.received == [2, 3])
    #expect(token?.isActive == false)
    #expect(await recent?.stream().all() == [2, 3])
  }
}
