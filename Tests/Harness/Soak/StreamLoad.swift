import Synchronization
import Tidings

/// An event of each round's own, which finishes: streams with each buffering policy, whose consumers are slow, are cancelled in
/// the middle of `next()`, or abandon their stream.
struct StreamLoad: Sendable {
  let statistics: Statistics

  func round(values: Int, seed: UInt64) async {
    let event = Event<Payload>("soak.streams")
    let emitters = 2
    let total = emitters * values
    let dropped = Observed(0)
    let steady = event.stream()
    let newest = event.stream(buffering: .newest(16))
    let oldest = event.stream(buffering: .oldest(16), addingDropsTo: dropped)
    let numbered = event.stream(buffering: .newest(8))
    let batches = event.stream().batches(upTo: 50)
    let cancelled = event.stream()
    let ended = event.stream()
    let consumers = Task { [statistics] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          let reception = Reception(.stream)
          for await payload in steady { reception.receive(payload) }
          check(reception.count == total, "a stream gave \(reception.count) of \(total) values")
          reception.report(to: statistics)
        }
        for (stream, kind) in [(newest, DeliveryKind.newest), (oldest, .oldest)] {
          group.addTask {
            let reception = Reception(kind, allowsGaps: true)
            for await payload in stream {
              reception.receive(payload)
              if reception.count % 100 == 0 { try? await Task.sleep(for: .microseconds(500)) }
            }
            check(
              reception.count + stream.droppedCount == total,
              "\(kind.rawValue) gave \(reception.count) and dropped \(stream.droppedCount) of \(total)")
            reception.report(to: statistics)
            statistics.count("values dropped by streams", stream.droppedCount)
          }
        }
        group.addTask {
          var (next, missing, taken) = (0, 0, 0)
          for await (number, _) in numbered.numbered {
            check(number >= next, "a stream's number \(number) came after \(next - 1)")
            (missing, next, taken) = (missing + number - next, number + 1, taken + 1)
            if taken % 50 == 0 { await Task.yield() }
          }
          check(
            missing + total - next == numbered.droppedCount && taken + numbered.droppedCount == total,
            "\(missing) numbers are missing, \(taken) taken of \(next), \(numbered.droppedCount) dropped of \(total)")
        }
        group.addTask {
          let reception = Reception(.batches)
          for await batch in batches {
            check((1...50).contains(batch.count), "a batch holds \(batch.count) values")
            for payload in batch { reception.receive(payload) }
          }
          check(reception.count == total, "batches gave \(reception.count) of \(total) values")
          reception.report(to: statistics)
        }
        group.addTask { await takeCancelled(cancelled, total: total, seed: seed) }
        group.addTask { await takeUntilCancelled(ended, seed: seed) }
        group.addTask { await abandon(event, seed: seed) }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for emitter in 0..<emitters {
        group.addTask {
          await onThread {
            var random = Random(seed, 30 + emitter)
            for number in 0..<values {
              event.emit(Payload(emitter, number))
              if random.isOne(in: 30) { stall(microseconds: random.number(below: 1_000)) }
            }
          }
        }
      }
    }
    event.finish()
    await consumers.value
    check(dropped.value == oldest.droppedCount, "\(dropped.value) drops were added, \(oldest.droppedCount) counted")
    statistics.count("values emitted for streams", total)
  }

  /// Tasks one after the other that are cancelled while they take from one iterator: together they are given every value.
  private func takeCancelled(_ stream: EventStream<Payload>, total: Int, seed: UInt64) async {
    var random = Random(seed, 40)
    let (taking, reception) = (Taking(stream), Reception(.cancelled))
    var hasEnded = false
    while !hasEnded {
      let consumer = Task { await taking.take(to: reception) }
      try? await Task.sleep(for: .microseconds(random.number(below: 10_000)))
      consumer.cancel()
      let wasCancelled = await consumer.value
      hasEnded = !wasCancelled
      if wasCancelled { statistics.count("consumers cancelled within next()") }
    }
    check(reception.count == total, "cancelled consumers received \(reception.count) of \(total) values")
    reception.report(to: statistics)
  }

  /// After `cancel()` a stream gives nothing more, also nothing that it had buffered.
  private func takeUntilCancelled(_ stream: EventStream<Payload>, seed: UInt64) async {
    var random = Random(seed, 41)
    let reception = Reception(.stream)
    let limit = 1 + random.number(below: 200)
    var iterator = stream.makeAsyncIterator()
    while reception.count < limit, let payload = await iterator.next() { reception.receive(payload) }
    stream.subscription.cancel()
    let late = await iterator.next()
    check(late == nil, "a stream gave a value after cancel()")
  }

  /// Streams that are released with values in them, and with consumers that wait.
  private func abandon(_ event: Event<Payload>, seed: UInt64) async {
    var random = Random(seed, 42)
    for turn in 0..<30 {
      let stream = event.stream(buffering: [.unbounded, .newest(4), .oldest(4)][turn % 3])
      if random.isOne(in: 3) { continue }
      let waiting = Task {
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<3 { _ = await iterator.next() }
      }
      if random.isOne(in: 2) { try? await Task.sleep(for: .microseconds(200)) }
      if random.isOne(in: 2) { stream.subscription.cancel() } else { waiting.cancel() }
      await waiting.value
    }
    statistics.count("streams abandoned", 30)
  }
}

/// An iterator for one task after the other.
private actor Taking {
  private let iterator: EventStream<Payload>.Iterator
  init(_ stream: EventStream<Payload>) { iterator = stream.makeAsyncIterator() }

  /// Until the end, or until the task is cancelled: then true.
  func take(to reception: Reception) async -> Bool {
    var iterator = iterator
    while let payload = await iterator.next(isolation: self) { reception.receive(payload) }
    return Task.isCancelled
  }
}
