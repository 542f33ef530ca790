import Testing
import Tidings
import TidingsTesting

@Suite("21. Each closure sees the values of one moment, though what it reads comes to be connected meanwhile")
struct MergedGraphTests {
  @Test("Another thread computes a value of both for a later moment, in the midst of a computation")
  func laterValue() {
    let (first, second) = (Observed(0), Observed(0))
    let (one, two) = (Derived { first.value }, Derived { second.value })
    _ = (one.value, two.value)
    let both = Derived { one.value + two.value }

    let seen = Derived {
      let first = one.value
      _ = Threads.elsewhere {
        // Set while a thread is pinned in its graph, so that the version clock advances.
        _ =
          Derived {
            let before = two.value
            _ = Threads.elsewhere { second.set(1) }
            return before
          }.value
        _ = both.value
      }
      return [both.value, first + two.value]
    }.value

    #expect(seen[0] == seen[1])
    #expect(both.value == 1)
  }

  @Test(
    "Another thread sets what was read, and then what is read next, which may be derived or nothing's source",
    arguments: [true, false])
  func bothSet(isDerived: Bool) {
    let (first, second) = (Observed(0), Observed(0))
    let (one, two) = (Derived { first.value }, Derived { second.value })
    if isDerived { _ = (one.value, two.value) }
    let seen = Derived {
      let before = isDerived ? one.value : first.value
      _ = Threads.elsewhere {
        first.set(1)
        second.set(1)
      }
      return [before, isDerived ? two.value : second.value]
    }
    #expect(seen.value == [0, 0])
    #expect(seen.value == [1, 1])
  }
}
