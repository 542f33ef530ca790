/// What `wait` gives, or nil when the time is over; what has not happened by then is not waited for.
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
