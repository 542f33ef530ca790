import Harness
import Tidings

/// A stream without another thread: the same task fills it with a batch and takes the batch out again. No wake-up, no
/// second thread: what storing and taking an element costs by itself, and always the same.
enum StreamAlone {
  private static let batch = 64

  static func rows() -> [Row] {
    [
      Row(
        RowName.streamAlone, family: "stream, one thread", floor: AsyncStreamPeer.name,
        [
          .inTask(AsyncStreamPeer.name) { tally in
            let peer = AsyncStreamPeer()
            return { count in
              var iterator = peer.stream.makeAsyncIterator()
              for start in stride(from: 0, to: count, by: batch) {
                peer.emit(start..<min(count, start + batch))
                for _ in start..<min(count, start + batch) { tally.add(await iterator.next() ?? 0) }
              }
            }
          },
          .inTask(TidingsStream.name) { tally in
            let tidings = TidingsStream()
            return { count in
              var iterator = tidings.stream.makeAsyncIterator()
              for start in stride(from: 0, to: count, by: batch) {
                tidings.emit(start..<min(count, start + batch))
                for _ in start..<min(count, start + batch) { tally.add(await iterator.next() ?? 0) }
              }
            }
          },
        ])
    ]
  }
}
