import Foundation
import Synchronization
import Tidings
import TidingsCollections
import TidingsInteractors
import TidingsState

/// The products beside the core: a text field, asynchronous derived values, scopes, histories, arrays.
struct ProductLoad: Sendable {
  let statistics: Statistics

  func round(edits: Int, seed: UInt64) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await type(edits, seed) }
      group.addTask { await load(edits / 4, seed) }
      group.addTask { await endScopes(10, seed) }
      group.addTask { undo(edits / 4, seed) }
      group.addTask { await editArray(edits, seed) }
    }
  }

  /// Someone types into a field while another thread sets its property.
  @MainActor private func type(_ count: Int, _ seed: UInt64) async {
    let (property, field) = (Observed(0), MemoryTextControl())
    let format = IntegerFormat(locale: Locale(identifier: "en_US"), maximumDigits: 9)
    let interactor = Interactor(property, in: field, as: format, committing: .everyChange)
    var random = Random(seed, 60)
    for number in 0..<count {
      if number % 10 == 0 {
        let value = random.number(below: 1_000)
        await Task.detached { property.set(value) }.value
        // The interactor's handler is on the main actor, which this task has to give up for it.
        let expected = format.format(value)
        var turns = 0
        while field.text != expected, turns < 1_000_000 {
          await Task.yield()
          turns += 1
        }
        check(property.value == value, "the property is \(property.value), not \(value)")
        check(field.text == expected, "the field shows '\(field.text)', not \(value)")
        continue
      }
      field.begin()
      field.selectAll()
      let digits = String(1 + random.number(below: 99_999))
      for digit in digits { _ = field.type(String(digit)) }
      check(property.value == Int(digits), "the property is \(property.value) where \(digits) was typed")
      field.end()
      check(field.text == format.format(property.value), "the field shows '\(field.text)', not \(digits)")
    }
    statistics.count("edits of a text field", count)
    withExtendedLifetime(interactor) {}
  }

  /// The answer belongs to the last input, although earlier computations take longer.
  private func load(_ count: Int, _ seed: UInt64) async {
    let input = Observed(0)
    let loaded = AsyncDerived(of: input) { input in
      let ballast = Ballast(.computation)
      for _ in 0..<(input % 5) { await Task.yield() }
      check(ballast.isIntact, "a computation was destroyed while it ran")
      return input * 2
    }
    let token = loaded.observe { change in
      if case .loaded(let output) = change.new { check(output % 2 == 0, "an answer is damaged") }
    }
    var random = Random(seed, 61)
    for number in 1...max(1, count) {
      input.set(number)
      if random.isOne(in: 3) { continue }
      let output = try? await loaded.loaded()
      check(output == number * 2, "loaded \(output as Any) for \(number)")
    }
    token.cancel()
    statistics.count("asynchronous computations", count)
  }

  /// Ends scopes: everything in a scope ends with it.
  private func endScopes(_ count: Int, _ seed: UInt64) async {
    let event = Event<Payload>("soak.scope")
    let emitting = Task {
      var number = 0
      while !Task.isCancelled {
        event.emit(Payload(0, number))
        number += 1
        if number % 20 == 0 { await Task.yield() }
      }
    }
    for _ in 0..<count {
      let (scope, reception, inner) = (Scope(), Reception(.inPlace), Reception(.inPlace))
      event.observe { reception.receive($0) }.store(in: scope)
      let child = scope.child()
      event.observe { @MainActor payload in inner.receive(payload) }.store(in: child)
      let stream = scope.add(event.stream())
      scope.task { for await payload in stream { check(payload.ballast.isIntact, "a destroyed value was streamed") } }
      scope.task { while !Task.isCancelled { await Task.yield() } }
      try? await Task.sleep(for: .microseconds(500))
      await scope.finish()
      reception.close()
      inner.close()
      check(!child.isActive, "a child of a scope is active after its end")
    }
    emitting.cancel()
    await emitting.value
    statistics.count("scopes", count)
  }

  /// Every step back, then every step forward.
  private func undo(_ count: Int, _ seed: UInt64) {
    var random = Random(seed, 62)
    let (first, second) = (Observed(0), Observed(""))
    let history = History(of: first, second, limit: 1_000)
    var states = [(0, "")]
    for number in 1...max(1, count) {
      let last = states[states.count - 1]
      if random.isOne(in: 2) {
        first.set(number)
        states.append((number, last.1))
      } else {
        transaction {
          first.set(-number)
          second.set("step \(number)")
        }
        states.append((-number, "step \(number)"))
      }
    }
    for state in states.dropLast().reversed() {
      check(history.undo(), "a step cannot be undone")
      check((first.value, second.value) == state, "undo gave \(first.value), \(second.value), not \(state)")
    }
    check(!history.undo(), "more was undone than was done")
    for state in states.dropFirst() {
      check(history.redo(), "a step cannot be redone")
      check((first.value, second.value) == state, "redo gave \(first.value), \(second.value), not \(state)")
    }
    statistics.count("steps undone and redone", 2 * (states.count - 1))
  }

  /// Two threads edit an array: its differences give the same array elsewhere, and so do its operators.
  private func editArray(_ count: Int, _ seed: UInt64) async {
    let array = ObservedArray<Int>()
    let (sorted, even, doubled) = (array.sorted(), array.filter { $0 % 2 == 0 }, array.map { $0 * 2 })
    let mirror = Mutex<[Int]>([])
    let sortedMirror = Mutex<[Int]>([])
    let tokens = [
      array.differences.observe(.initial) { difference in mirror.withLock { difference.apply(to: &$0) } },
      sorted.differences.observe(.initial) { difference in sortedMirror.withLock { difference.apply(to: &$0) } },
      even.observe { check($0.new.allSatisfy { $0 % 2 == 0 }, "a filtered array holds an odd number") },
    ]
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<2 {
        group.addTask {
          await onThread {
            var random = Random(seed, 70 + thread)
            for _ in 0..<count {
              let (value, place, operation) = (
                random.number(below: 1_000), random.number(below: 1_000), random.number(below: 10)
              )
              array.edit { elements in
                switch operation {
                case 0..<6: elements.insert(value, at: place % (elements.count + 1))
                case 6, 7: if !elements.isEmpty { elements.remove(at: place % elements.count) }
                case 8: if !elements.isEmpty { elements[place % elements.count] = value }
                case _ where elements.isEmpty: break
                default: elements.move(from: place % elements.count, to: value % elements.count)
                }
                if elements.count > 500 { elements.removeSubrange(0..<250) }
              }
            }
          }
        }
      }
    }
    for token in tokens { await token.drained() }
    let value = array.value
    check(mirror.withLock { $0 } == value, "the differences of an array do not give it")
    check(sorted.value == value.sorted(), "a sorted array is not sorted")
    check(sortedMirror.withLock { $0 } == value.sorted(), "the differences of a sorted array do not give it")
    check(even.value == value.filter { $0 % 2 == 0 }, "a filtered array is another")
    check(doubled.value == value.map { $0 * 2 }, "a mapped array is another")
    statistics.count("edits of an array", 2 * count)
  }
}
