import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  17. Every handler of an `Observed` or `Derived` sees an unbroken chain: `old` of a change is `new` of the one \
  before; the first is the value delivered by `.initial`, or the one when it was added.
  """, .serialized)
struct UnbrokenChainTests {
  @Test("every way of adding")
  func everyWayOfAdding() {
    let (source, owner) = (Observed(1), Owner())
    let double = Derived { source.value * 2 }
    let received = (0..<5).map { _ in ChangeRecorder<Int>() }
    let derived = (0..<5).map { _ in ChangeRecorder<Int>() }
    var tokens: Set<Subscription> = []
    func add(to value: some ValueSource<Int>, _ received: [ChangeRecorder<Int>]) {
      value.observe { received[0]($0) }.store(in: &tokens)
      value.observe(.initial) { received[1]($0) }.store(in: &tokens)
      value.observe(with: owner) { received[2]($1) }
      value.observe(onError: { (_: Oops) in }, { change throws(Oops) in received[3](change) }).store(in: &tokens)
      value.once { received[4]($0) }
    }
    add(to: source, received)
    add(to: double, derived)
    source.set(2)
    source.update { $0 += 1 }
    source.set(3)
    transaction {
      source.set(7)
      source.set(9)
    }
    let expected = [Change.from(1, to: 2), .from(2, to: 3), .from(3, to: 3), .from(3, to: 9)]
    for index in [0, 2, 3] { #expect(received[index].changes == expected) }
    #expect(received[1].changes == [.from(nil, to: 1)] + expected)
    #expect(received[4].changes == [.from(1, to: 2)])
    let doubled = [Change.from(2, to: 4), .from(4, to: 6), .from(6, to: 18)]
    for index in [0, 2, 3] { #expect(derived[index].changes == doubled) }
    #expect(derived[1].changes == [.from(nil, to: 2)] + doubled)
    #expect(derived[4].changes == [.from(2, to: 4)])
    withExtendedLifetime(owner) {}
  }

  /// The change of the call and those queued by then were made before; what comes after continues from the value of then.
  @Test("added by a handler")
  func addedByAHandler() {
    let source = Observed(0)
    let (plain, initial, owned, owner) = (ChangeRecorder<Int>(), ChangeRecorder<Int>(), ChangeRecorder<Int>(), Owner())
    let tokens = Locked<[Subscription]>([])
    let first = source.observe { change in
      guard change.new == 1 else { return }
      source.set(2)
      let added = [source.observe { plain($0) }, source.observe(.initial) { initial($0) }]
      tokens.withLock { $0 += added }
      source.observe(with: owner) { owned($1) }
      source.set(3)
    }
    source.set(1)
    source.set(4)
    let expected = [Change.from(2, to: 3), .from(3, to: 4)]
    #expect(plain.changes == expected)
    #expect(owned.changes == expected)
    #expect(initial.changes == [.from(nil, to: 2)] + expected)
    withExtendedLifetime((first, owner, tokens)) {}
  }

  /// Its own handlers have not been notified, or are being notified, when more are added: those have the new value already.
  @Test("added by a handler of a derived")
  func addedByAHandlerOfADerived() {
    for setsMeanwhile in [false, true] {
      let source = Observed(0)
      let ten = Derived { source.value * 10 }
      let (early, bySource, initial, byItself) = (
        ChangeRecorder<Int>(), ChangeRecorder<Int>(), ChangeRecorder<Int>(), ChangeRecorder<Int>()
      )
      let tokens = Locked<[Subscription]>([])
      let one = source.observe { change in
        guard change.new == 1 else { return }
        let added = [ten.observe { bySource($0) }, ten.observe(.initial) { initial($0) }]
        tokens.withLock { $0 += added }
        if setsMeanwhile { source.set(2) }
      }
      let two = ten.observe { early($0) }
      let three = ten.observe { change in
        guard change.new == 10 else { return }
        let added = ten.observe { byItself($0) }
        tokens.withLock { $0.append(added) }
      }
      source.set(1)
      if !setsMeanwhile { source.set(2) }
      source.set(3)
      #expect(early.isUnbroken(from: 0) && early.newValues.last == 30)
      #expect(bySource.changes == [.from(10, to: 20), .from(20, to: 30)])
      #expect(initial.changes == [.from(nil, to: 10), .from(10, to: 20), .from(20, to: 30)])
      #expect(byItself.isUnbroken() && byItself.newValues.last == 30)
      #expect(byItself.changes.first?.old == (setsMeanwhile ? byItself.changes.first?.old : 10))
      withExtendedLifetime((one, two, three, tokens)) {}
    }
  }

  @Test("set by a handler")
  func setByAHandler() {
    let source = Observed(0)
    let negative = Derived { -source.value }
    let received = (0..<4).map { _ in ChangeRecorder<Int>() }
    let tokens = [
      source.observe { received[0]($0) },
      source.observe { change in if change.new < 20 { source.update { $0 += 1 } } },
      source.observe { received[1]($0) },
      negative.observe { received[2]($0) },
      negative.observe { change in if change.new == -10 { source.set(15) } },
      negative.observe(.initial) { received[3]($0) },
    ]
    source.set(1)
    source.set(40)
    for handler in received.prefix(2) {
      #expect(handler.isUnbroken(from: 0))
      #expect(handler.newValues.last == source.value)
      #expect(handler.changes == received[0].changes)
    }
    #expect(received[2].isUnbroken(from: 0))
    #expect(received[3].isUnbroken())
    #expect(received[3].changes.dropFirst() == received[2].changes[...])
    #expect(source.value == 40 && received[2].newValues.last == -40)
    withExtendedLifetime(tokens) {}
  }

  /// One value is written from two threads, each writing what no other thread writes: a gap or a swap shows.
  @Test("two threads")
  func twoThreads() {
    for _ in 0..<40 {
      let source = Observed(0)
      let text = Derived { "\(source.value)" }
      let (first, second, derived) = (ChangeRecorder<Int>(), ChangeRecorder<Int>(), ChangeRecorder<String>())
      let tokens = [
        source.observe { first($0) }, source.observe(.initial) { second($0) }, text.observe { derived($0) },
      ]
      Threads.together(2) { thread in
        for value in 1...100 {
          let next = thread * 1_000 + value
          switch value % 3 {
          case 0: source.set(next)
          case 1: source.update { $0 = next }
          default: transaction { source.set(next) }
          }
        }
      }
      #expect(first.changes.count == 200)
      #expect(first.isUnbroken(from: 0) && first.newValues.last == source.value)
      #expect(second.isUnbroken() && second.newValues == [0] + first.newValues)
      #expect(derived.isUnbroken(from: "0"))
      #expect(derived.newValues.last == "\(source.value)")
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("added among writes")
  func addedAmongWrites() {
    for _ in 0..<40 {
      let source = Observed(0)
      let negative = Derived { -source.value }
      let received = (0..<4).map { _ in (0..<10).map { _ in ChangeRecorder<Int>() } }
      let tokens = Locked<[Subscription]>([])
      Threads.together(2) { thread in
        if thread == 0 {
          for value in 1...200 { source.set(value) }
        } else {
          for index in 0..<10 {
            let added = [
              source.observe { received[0][index]($0) }, source.observe(.initial) { received[1][index]($0) },
              negative.observe { received[2][index]($0) }, negative.observe(.initial) { received[3][index]($0) },
            ]
            tokens.withLock { $0 += added }
          }
        }
      }
      source.set(201)
      for index in 0..<10 {
        for kind in 0..<4 {
          #expect(received[kind][index].isUnbroken())
          #expect(received[kind][index].newValues.last == (kind < 2 ? 201 : -201))
        }
        for kind in [1, 3] { #expect(received[kind][index].changes.first?.old == .some(.none)) }
        // Each write is a change of its own: none between the first and the last is missing.
        let plain = received[0][index]
        if let first = plain.changes.first { #expect(plain.newValues == Array(first.new...201)) }
      }
      tokens.withLock { $0 = [] }
    }
  }

  @Test("through a target")
  func throughATarget() {
    let (source, jobs, received) = (Observed(0), Locked<[@Sendable () -> Void]>([]), ChangeRecorder<Int>())
    let token = source.observe(on: DeliveryTarget { job in jobs.withLock { $0.append(job) } }) { received($0) }
    for value in 1...3 { source.set(value) }
    #expect(received.changes.isEmpty)
    for job in jobs.current { job() }
    #expect(received.changes == [.from(0, to: 1), .from(1, to: 2), .from(2, to: 3)])
    token.cancel()
  }

  @Test("on actors")
  func onActors() async {
    for _ in 0..<20 {
      let source = Observed(0)
      let negative = Derived { -source.value }
      let (listener, actor) = (Listener(), TestActor())
      let received = (0..<4).map { _ in ChangeRecorder<Int>() }
      source.observe(with: listener) { _, change in received[0](change) }
      negative.observe(with: actor) { _, change in received[1](change) }
      let tokens =
        await listener.follow(source, received[2])
        + actor.run { actor in
          [
            negative.observe(.initial) { [received] change in
              actor.preconditionIsolated()
              received[3](change)
            }
          ]
        }
      await Threads.together(2) { thread in
        for value in 1...50 { source.set(thread * 100 + value) }
      }
      let last = source.value
      for (index, handler) in received.enumerated() {
        #expect(await handler.ends(with: index % 2 == 0 ? last : -last))
        #expect(index < 2 ? handler.isUnbroken(from: 0) : handler.isUnbroken())
      }
      #expect(received[2].changes.first == .from(nil, to: 0))
      #expect(received[3].changes.first == .from(nil, to: 0))
      withExtendedLifetime(tokens) {}
    }
  }
}

extension Listener {
  fileprivate func follow(_ value: Observed<Int>, _ received: ChangeRecorder<Int>) -> [Subscription] {
    [
      value.observe(.initial) { change in
        self.preconditionIsolated()
        received(change)
      }
    ]
  }
}
