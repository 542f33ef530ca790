import Testing
import Tidings
import TidingsTesting

@Suite("Appending to an observed array")
struct AppendTests {
  #if os(Linux) || os(macOS)
  /// In a process of its own: no array is changed in place while another thread computes a value, as neighbouring tests do.
  @Test(
    "20,000 elements that are appended while the array has no other reference move its storage as seldom as in a plain array"
  )
  func inPlace() async {
    await #expect(processExitsWith: .success) {
      let numbers = Observed([Int]())
      let count = Derived { numbers.value.count }
      var places: Set<UnsafeRawPointer> = []
      for number in 0..<20_000 {
        numbers.append(number)
        numbers.value.withUnsafeBytes { _ = places.insert($0.baseAddress!) }
        if number % 1_000 == 0 { #expect(count.value == number + 1) }
      }
      #expect(places.count < 40)
      #expect(numbers.value == Array(0..<20_000) && count.value == 20_000)
    }
  }
  #endif

  @Test("An array read before is unchanged, and handlers are notified of old and new")
  func whoHoldsIt() {
    let numbers = Observed([1])
    let (changes, counts) = (Recorder<Change<[Int]>>(), Recorder<Int>())
    let tokens = [Derived { numbers.value.count }.observe { counts($0.new) }]
    let before = numbers.value
    numbers.append(2)
    #expect(before == [1] && numbers.value == [1, 2])
    let token = numbers.observe { changes($0) }
    numbers.append(contentsOf: [3, 4])
    #expect(changes.values.map(\.old) == [[1, 2]] && changes.values.map(\.new) == [[1, 2, 3, 4]])
    #expect(counts.values == [2, 4])
    token.cancel()
    transaction {
      numbers.append(5)
      #expect(numbers.value == [1, 2, 3, 4, 5])
    }
    #expect(counts.values == [2, 4, 5])
    withExtendedLifetime(tokens) {}
  }

  @Test("A computation that begins right after an append keeps what it has read while another thread appends")
  func afterAnAppend() {
    let numbers = Observed([1])
    let count = Derived { numbers.value.count }
    _ = count.value
    numbers.append(2)
    let seen = Derived {
      let first = numbers.value
      Threads.elsewhere { numbers.append(3) }
      return [first, numbers.value]
    }
    #expect(seen.value == [[1, 2], [1, 2]])
    #expect(count.value == 3)
  }

  @Test("No element is lost or doubled when four threads append, one observes and one cancels")
  func onThreads() {
    let numbers = Observed([Int]())
    Threads.together(5) { thread in
      for number in 0..<1_000 {
        if thread < 4 {
          numbers.append(thread * 1_000 + number)
        } else if number % 10 == 0 {
          numbers.observe { _ in }.cancel()
        }
      }
    }
    #expect(numbers.value.sorted() == Array(0..<4_000))
    for thread in 0..<4 {
      let own = numbers.value.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted())
    }
  }
}
