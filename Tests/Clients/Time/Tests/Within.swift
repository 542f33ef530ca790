/// Returns the result of `wait`, or nil after the limit; `wait` is then cancelled.
func within<Value: Sendable, C: Clock>(
  _ limit: C.Duration, clock: C, _ wait: @escaping @Sendable () async -> Value?
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await wait() }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}
