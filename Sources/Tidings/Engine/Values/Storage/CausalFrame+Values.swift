// Queries of the values about the deliveries and computations under way on this thread.
extension CausalFrame {
  /// Whether this thread is computing the node.
  static func isComputing(_ node: NodePointer) -> Bool {
    isComputing(at: UnsafeRawPointer(node.pointee.body.toOpaque()))
  }
  /// The names of the values that are being computed on this thread, and of those that wait for them, outermost first.
  static func validationNames(_ validationStack: RawStack<Context.ValidationFrame>) -> [String] {
    var (names, end): ([String], Int) = ([], validationStack.count)
    func add(from start: Int) {
      for index in (start..<max(start, end)).reversed() {
        names.appendUnspecialized(
          validationStack[index].node.pointee.body._withUnsafeGuaranteedRef { $0.name })
      }
      end = start
    }
    forEachComputation { validating, name in
      add(from: validating)
      names.appendUnspecialized(name)
    }
    add(from: 0)
    return outermostFirst(names)
  }

  /// The causal depth of a change that this thread makes now.
  @inline(__always)
  static func causalDepth(_ context: ContextPointer) -> Int {
    !isNested && context.pointee.scope.notificationDepth == 0 ? 1 : currentDepth + 1
  }
}
