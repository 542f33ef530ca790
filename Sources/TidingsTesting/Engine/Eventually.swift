/// Whether it comes true. It is looked at again whenever the tasks that are ready have had a turn; not to have come true in
/// five minutes counts as never.
///
/// For what a task or another thread does a moment after the last thing that a test can wait for.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while await !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}
