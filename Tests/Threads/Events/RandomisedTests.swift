import Testing
import Tidings
import TidingsTesting

@Suite("Randomised: events against a plain model, call by call")
struct RandomisedTests {
  @Test("Event, serial")
  func serial() { compare("serial", Oracle(.serial), LibraryWorld<Event<Int>>(.serial), \.canaries) }

  @Test("Event, immediate")
  func immediate() { compare("immediate", Oracle(.immediate), LibraryWorld<Event<Int>>(.immediate), \.canaries) }

  @Test("LocalEvent, serial")
  func localSerial() { compare("local, serial", Oracle(.serial), LibraryWorld<LocalEvent<Int>>(.serial), \.canaries) }

  @Test("LocalEvent, immediate")
  func localImmediate() {
    compare("local, immediate", Oracle(.immediate), LibraryWorld<LocalEvent<Int>>(.immediate), \.canaries)
  }

  private func compare<Library: World>(
    _ name: String, _ oracle: @autoclosure () -> Oracle, _ library: @autoclosure () -> Library,
    _ canaries: (Library) -> Canaries
  ) {
    for seed in Runs.seeds(60, of: name) {
      guard let difference = run(seed, oracle(), library(), canaries) else { continue }
      Issue.record("\(name), TIDINGS_SEED=\(seed): \(difference)")
      return
    }
  }

  /// Runs one seed in both worlds and reports the first difference.
  private func run<Library: World>(
    _ seed: UInt64, _ oracle: Oracle, _ library: Library, _ canaries: (Library) -> Canaries
  ) -> String? {
    let (expected, seen) = (Driver(oracle, seed: seed), Driver(library, seed: seed))
    for step in 0..<150 {
      expected.step(step)
      seen.step(step)
      guard expected.log == seen.log else {
        let first = zip(expected.log, seen.log).prefix { $0 == $1 }.count
        return """
          step \(step), after \(expected.log.prefix(first).suffix(12))
          expected \(expected.log.dropFirst(first).prefix(4))
          saw \(seen.log.dropFirst(first).prefix(4))
          """
      }
      for token in expected.tokens.suffix(20)
      where !oracle.isBereaved(token) && oracle.isActive(token) != library.isActive(token) {
        return
          "step \(step), \(expected.log.suffix(12)): \(token) should be \(oracle.isActive(token) ? "" : "in")active"
      }
      let (alive, living) = (canaries(library).alive, oracle.living)
      guard (living...living + oracle.bereaved).contains(alive) else {
        return "step \(step), \(expected.log.suffix(12)): captures of \(alive) handlers live, of \(living) should"
      }
    }
    return nil
  }
}
