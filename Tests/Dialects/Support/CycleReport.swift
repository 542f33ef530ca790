import Tidings

/// How many emissions the first report about a cycle names, of an event that was made at `place`, while `body` runs the cycle.
func lengthOfCycle(reportedOf place: String, from body: () -> Void) async -> Int? {
  let (reports, notified) = AsyncStream.makeStream(of: Diagnostics.Report.self)
  let subscription = Diagnostics.reports.filter { $0.message.contains(place) }.observe { notified.yield($0) }
  body()
  // Another test's report may be on its way to the same handlers, on another thread.
  let report = await reports.first { _ in true }
  subscription.cancel()
  return report?.labels.count
}
