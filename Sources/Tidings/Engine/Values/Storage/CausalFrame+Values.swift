// What the values ask of the deliveries and computations under way on this thread.
extension CausalFrame {
  /// Whether this thread is computing the node.
  static func isComputing(_ node: NodePointer) -> Bool {
    isComputing(at: UnsafeRawPointer(node.pointee.body.toOpaque()))
  }
  /// The names of what is being computed on this thread and of what waits for it, outermost first.
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

  /// Of what is caused here and now.
  @inline(__always)
  static func causalDepth(_ context: ContextPointer) -> Int {
    !isNested && context.pointee.scope.notificationDepth == 0 ? 1 : currentDepth + 1
  }
}
