import TidingsRemote

extension MemoryBroker {
  /// Loses answers, goes away and comes back, as often as asked, while others use it.
  package func disturb(times count: Int) async {
    for _ in 0..<count {
      loseAnswers(2)
      await Task.yield()
      isReachable = false
      await Task.yield()
      isReachable = true
      await Task.yield()
    }
  }
}
