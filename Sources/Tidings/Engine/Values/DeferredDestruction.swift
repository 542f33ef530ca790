/// A value that was replaced while this thread was pinned, or retired that came up while it was ending others.
///
/// What ends runs user code. After the pin that reads values as they are and may set them; and as one ends after the other, a
/// cycle of destructions takes no stack.
struct DeferredDestruction: BitwiseCopyable {
  private let retired: RetiredPointer?
  private let record: RecordPointer?
  private let body: Unmanaged<Body>?
  /// What caused it: what its end causes is deeper.
  private let depth: Int

  @inline(never)
  static func add(_ record: RecordPointer, of node: NodePointer, _ context: ContextPointer) {
    let body = node.pointee.body.retain()
    context.pointee.late.push(DeferredDestruction(retired: nil, record: record, body: body, depth: depth(context)))
  }
  static func add(_ retired: RetiredPointer?, _ context: ContextPointer) {
    guard let retired else { return }
    context.pointee.late.push(DeferredDestruction(retired: retired, record: nil, body: nil, depth: depth(context)))
  }
  private static func depth(_ context: ContextPointer) -> Int {
    context.pointee.isDestroying ? CausalFrame.currentDepth : context.pointee.resolving
  }

  /// In the order in which they came, once the thread is not pinned; what the ends add as well. They are no part of a transaction.
  static func endAll(_ context: ContextPointer) {
    guard !context.pointee.late.isEmpty else { return }
    let (paused, outer) = (Transaction.pause(), context.pointee.resolving)
    defer {
      context.pointee.resolving = outer
      if let paused { Transaction.resume(paused) }
    }
    var index = 0
    while index < context.pointee.late.count {
      let late = context.pointee.late[index]
      index += 1
      if index == context.pointee.late.count {
        context.pointee.late.removeAll()
        index = 0
      } else if index == 1 << 12 {
        context.pointee.late.remove(from: 0, to: index)
        index = 0
      }
      context.pointee.resolving = max(outer, late.depth)
      late.end(context)
    }
  }
  private func end(_ context: ContextPointer) {
    Retired.endAll(retired, context)
    guard let record, let body else { return }
    body._withUnsafeGuaranteedRef {
      $0.values.end?(UnsafeMutableRawPointer(record) + $0.values.offset)
      if $0.values.isUsual {
        context.pointee.giveBack(block: UnsafeMutableRawPointer(record))
      } else {
        UnsafeMutableRawPointer(record).deallocate()
      }
    }
    body.release()
  }
}

extension Context {
  var hasToEnd: Bool { @inline(__always) get { unreferenced.count | late.count != 0 } }
}
