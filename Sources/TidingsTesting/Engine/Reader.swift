/// An actor, on a thread of its own, that reads a sequence to its end.
package actor Reader<Element: Sendable> {
  private let worker = Worker()
  private var task: Task<Void, Never>?
  private var waiting: [(isReady: ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  package private(set) var taken: [Element] = []

  package init() {}
  deinit { worker.end() }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  /// Begins to read, on this actor. Returns when what there was has been taken, and it sleeps or has ended.
  package func follow(_ sequence: some AsyncSequence<Element, Never> & Sendable) async {
    task = Task {
      for await element in sequence {
        preconditionIsolated()
        taken.append(element)
        for waiter in waiting where waiter.isReady(taken) { waiter.continuation.resume() }
        waiting.removeAll { $0.isReady(taken) }
      }
    }
    // The worker's jobs run in the order in which they were enqueued: the rest of this one after the first of that task.
    await Task.yield()
    // Without an operation that must run here, the compiler may run the rest elsewhere, and immediately.
    preconditionIsolated()
  }
  /// Returns the elements taken so far, as soon as they are enough. Give the test a time limit.
  package func taken(until isEnough: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
    // Checked where the waiter is added: before that, this job may be suspended, and what is taken then resumes no waiter.
    await withCheckedContinuation { waiter in
      if isEnough(taken) { waiter.resume() } else { waiting.append((isEnough, waiter)) }
    }
    return taken
  }
  package func taken(atLeast count: Int) async -> [Element] { await taken { $0.count >= count } }
  package func forget() { taken = [] }
  package func cancel() { task?.cancel() }
  /// Returns when the loop is over.
  package func finish() async { await task?.value }
}

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Returns the elements that a new consumer gets without waiting.
  package func available() async -> [Element] {
    let reader = Reader<Element>()
    await reader.follow(self)
    let taken = await reader.taken
    await reader.cancel()
    await reader.finish()
    return taken
  }

  /// Returns the elements that a new consumer gets until the end.
  package func all() async -> [Element] {
    let reader = Reader<Element>()
    await reader.follow(self)
    await reader.finish()
    return await reader.taken
  }
}
