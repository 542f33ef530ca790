import Foundation
import TidingsRemote

/// The measurements that several figures of the journal and of NATS share.
enum Sending {
  /// Seconds in which several tasks store ticks in batches, until all are kept.
  static func batches(
    of batch: Int, by tasks: Int, _ count: Int, _ ticks: KeptEvent<Tick>
  ) async throws -> Double {
    let each = count / tasks
    return try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for first in stride(from: 0, to: each, by: batch) {
              try await ticks.send(contentsOf: (first..<first + batch).map { (.number($0), id: "\(task).\($0)") })
            }
          }
        }
        try await group.waitForAll()
      }
    }.seconds
  }

  /// Seconds in which a consumer handles and acknowledges ticks that are stored.
  static func handling(_ count: Int, _ ticks: KeptEvent<Tick>) async throws -> Double {
    try await ticks.send(contentsOf: (1...count).map { (.number($0), id: "\($0)") })
    let (done, last) = AsyncStream.makeStream(of: Void.self)
    return await ContinuousClock().measure {
      ticks.handle(as: "figures") { tick in if tick.number == count { last.finish() } }
      for await _ in done {}
    }.seconds
  }

  /// Milliseconds from each emission in this process to the handler in another, which says them; sorted.
  static func delays(_ child: ChildProcess, _ emit: () -> Void) async throws -> [Double] {
    var delays: [Double] = []
    for _ in 0..<1_000 {
      emit()
      delays.append(Double(child.line() ?? "")! / 1_000_000)
      try await Task.sleep(for: .milliseconds(2))
    }
    child.end()
    return delays.sorted()
  }
}
