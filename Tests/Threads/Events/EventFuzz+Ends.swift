import Synchronization
import Tidings
import TidingsTesting

/// Sentences 25 and 26 at the end of a run, when no thread emits any more.
extension EventFuzz {
  /// Checks that everything behind finished events has ended, with all that it had accepted.
  func finishedSources() async {
    for source in sources where source.finish.isFinished {
      guard let event = source.event else { continue }
      event.emit(0, isolation: nil)
      await expect("one value after the end of \(source.label) is reported (25)") {
        self.reported.current.count { $0 == source.label } == 1
      }
    }
    for handler in handlers.current where handler.isBehindTheEnd && handler.token.current != nil {
      await expect("\(handler) ends with its sources (25)") { handler.token.current?.isActive == false }
      if handler.route != .stream { continue }
      await expect("the stream of \(handler) ends with its sources (25)") {
        handler.hasEnded.load(ordering: .acquiring)
      }
    }
  }

  /// After this every value has been handled: a value that has not been handled by then is lost.
  func allDrained() async {
    for source in sources { inBackground { await self.drain(source, isolation: nil) } }
    for handler in handlers.current { inBackground { await self.drain(handler, isolation: nil) } }
    await quiescent("`drained()` returns")
  }
}
