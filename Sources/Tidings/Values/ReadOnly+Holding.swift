extension ReadOnly {
  /// A value that an event keeps up to date: derived from one that the event's handler sets. It keeps the subscription to the
  /// event, and so does what depends on it. The event's handler alone keeps the value that it sets, which ends with it.
  @_alwaysEmitIntoClient
  init(holding initial: Value, from source: some EventSource<Value>, file: StaticString, line: UInt) {
    let (observed, links) = (Observed(initial, file: file, line: line), UpstreamSubscriptions())
    links.keep(
      source.attach(
        EventHandler(
          passing: { value, context in observed.cell.set(value, context.here, observed) },
          CallSite(file: file, line: line))))
    let reader = observed.reader
    self.init(
      Derived(comparing: { _, _ in false }, file: file, line: line) { withExtendedLifetime(links) { reader.value } })
  }
}
