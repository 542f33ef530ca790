import Synchronization

public typealias ContextPointer = UnsafeMutablePointer<Context>

/// The state of one thread that uses values. No other thread accesses it. Each part is declared by the code that owns it.
public struct Context: ~Copyable {
  /// First: a context is found at the address of its thread.
  var thread: PinnedThread
  var marks: ReadMark.Own
  var memory = NodeMemory()
  /// See `Computation.swift`.
  var computation = Computation()
  var validation = Validation()
  var commit = Commit()
  var destruction = Destruction()
  var notifications = Notifications()

  init() {
    thread = PinnedThread()
    marks = ReadMark.Own(thread.number)
  }

  @inline(__always)
  public static var current: ContextPointer {
    if let kept = keptThread() { return kept.assumingMemoryBound(to: Context.self) }
    return make()
  }
  @inline(never)
  private static func make() -> ContextPointer {
    let context = ContextPointer.allocate(capacity: 1)
    context.initialize(to: Context())
    keepThread(context) { kept in
      let context = kept.assumingMemoryBound(to: Context.self)
      // Destroying what the last reclamation queues is user code, which may use the engine.
      Reclaimer.collect(context.thread)
      context.finish()
      context.pointee.memory.leave()
      PinnedThread.end(context.thread)
      context.deinitialize(count: 1)
      context.deallocate()
    }
    return context
  }
}

extension ContextPointer {
  @inline(__always)
  var thread: ThreadPointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: PinnedThread.self) }

  @inline(__always)
  func pin() {
    thread.pin()
    pointee.marks.begin(pointee.thread.snapshot, pointee.thread.pins)
  }
  /// Ends the pin, and forgets the results that were right for it alone: before, because it keeps their nodes.
  @inline(__always)
  func unpin() {
    assert(pointee.computation.frame == nil)
    if _slowPath(pointee.computation.hasPrivate) { forgetPrivate() }
    thread.unpin()
  }
}
