/// Whether it comes true. It is looked at again whenever the tasks that are ready have had a turn; not to have come true in five
/// minutes and a thousand turns counts as never. Of minutes alone a few turns can take all, where many tests share two threads.
///
/// For what a task or another thread does a moment after the last thing that a test can wait for. It gives its thread up: a
/// test that span instead would keep what it waits for from running, on a machine of two processors. A turn is one of the task
/// pool, wherever the caller runs: a caller with an executor of its own takes a million turns there while the pool, which is to
/// make it true, has none for anyone.
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool
) async -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  var turns = 0
  while await !condition() {
    if turns > 1_000, ContinuousClock.now > end { return false }
    await Task.detached {}.value
    turns += 1
  }
  return true
}
