/// The token of a task that moves the elements of an asynchronous sequence into an event or a value: dropping it cancels.
///
/// ```swift
/// let pump = pressed.emit(each: keys)
/// await pump.finished()
/// ```
///
/// The task ends when its sequence ends, when this is cancelled or dropped, and when an element finds the event or value
/// deinitialized, which the task does not retain. What was emitted before is still delivered.
public final class Pump: Hashable, Sendable {
  private let task: Task<Void, Never>

  @usableFromInline init(_ task: Task<Void, Never>) { self.task = task }
  deinit { task.cancel() }

  /// Cancels the task, which notices it when it waits for the next element. Cancelling twice does nothing.
  public func cancel() { task.cancel() }

  var isCancelled: Bool { task.isCancelled }

  /// Returns when the task has ended: then nothing more is emitted.
  public func finished() async { await task.value }

  /// Inserts this into a set, which keeps it.
  ///
  /// - Parameter set: The set.
  @_alwaysEmitIntoClient
  public func store(in set: inout Set<Pump>) { set.insert(self) }

  public static func == (left: Pump, right: Pump) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Event {
  /// Emits every element of an asynchronous sequence, in a task of its own, for as long as the token is kept.
  ///
  /// ```swift
  /// let pump = pressed.emit(each: keys)
  /// ```
  ///
  /// This turns the results of other libraries, such as `debounce` or `throttle` of swift-async-algorithms, into events
  /// again. The task runs on no actor, so handlers on actors receive the elements through their queues. The next element is
  /// requested when `emit` has returned.
  ///
  /// - Parameter sequence: Its iterator is made in the task.
  /// - Returns: The token of the task; dropping it cancels.
  @_alwaysEmitIntoClient
  public func emit<Elements: AsyncSequence & Sendable>(
    each sequence: Elements
  ) -> Pump where Elements.Element == Payload, Elements.Failure == Never {
    Pump(
      Task { [weak self] in
        for await element in sequence {
          guard !Task.isCancelled, let self else { return }
          self.emit(element, isolation: nil)
        }
      })
  }

  /// Emits every element of an asynchronous sequence that may fail. An error is passed to `onError` and ends the task.
  ///
  /// ```swift
  /// let pump = read.emit(each: lines, onError: { print("no more lines:", $0) })
  /// ```
  ///
  /// - Parameters:
  ///   - sequence: Its iterator is made in the task.
  ///   - onError: Called in the task; not called with the error of a sequence that ends because the task was cancelled.
  /// - Returns: The token of the task; dropping it cancels.
  @_alwaysEmitIntoClient
  public func emit<Elements: AsyncSequence & Sendable>(
    each sequence: Elements, onError: @escaping @Sendable (Elements.Failure) -> Void
  ) -> Pump where Elements.Element == Payload {
    Pump(
      Task { [weak self] in
        do throws(Elements.Failure) {
          for try await element in sequence {
            guard !Task.isCancelled, let self else { return }
            self.emit(element, isolation: nil)
          }
        } catch {
          if !Task.isCancelled { onError(error) }
        }
      })
  }
}

extension Observed {
  /// Sets the value to every element of an asynchronous sequence, in a task of its own, for as long as the token is kept.
  ///
  /// ```swift
  /// let pump = temperature.set(each: sensor.readings)
  /// ```
  ///
  /// - Parameter sequence: Its iterator is made in the task.
  /// - Returns: The token of the task; dropping it cancels.
  @_alwaysEmitIntoClient
  public func set<Elements: AsyncSequence & Sendable>(
    each sequence: Elements
  ) -> Pump where Elements.Element == Value, Elements.Failure == Never {
    Pump(
      Task { [weak self] in
        for await element in sequence {
          guard !Task.isCancelled, let self else { return }
          self.set(element, isolation: nil)
        }
      })
  }

  /// Sets the value to every element of an asynchronous sequence that may fail. An error is passed to `onError` and ends the
  /// task.
  ///
  /// - Parameters:
  ///   - sequence: Its iterator is made in the task.
  ///   - onError: Called in the task; not called with the error of a sequence that ends because the task was cancelled.
  /// - Returns: The token of the task; dropping it cancels.
  @_alwaysEmitIntoClient
  public func set<Elements: AsyncSequence & Sendable>(
    each sequence: Elements, onError: @escaping @Sendable (Elements.Failure) -> Void
  ) -> Pump where Elements.Element == Value {
    Pump(
      Task { [weak self] in
        do throws(Elements.Failure) {
          for try await element in sequence {
            guard !Task.isCancelled, let self else { return }
            self.set(element, isolation: nil)
          }
        } catch {
          if !Task.isCancelled { onError(error) }
        }
      })
  }
}
