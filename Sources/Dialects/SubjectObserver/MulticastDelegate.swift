import DialectSupport
import Tidings

/// Several delegates where there used to be one: each is called with the methods of its protocol, and held weakly.
///
/// ```swift
/// let players = MulticastDelegate<any PlayerDelegate>()
/// players.add(screen)
/// players.invoke { $0.didStart() }
/// for player in players { print(player.name) }
/// ```
///
/// - **Order**: delegates are called in the order in which they were added; one that was added twice, twice. One that is added
///   while `invoke` calls is not called by it.
/// - **Thread**: every operation, from any thread, at any time. Delegates are called on the thread that invokes, before
///   `invoke` returns.
/// - **Re-entrancy**: a delegate may add, remove and invoke. An inner `invoke` reaches all of them before the outer one
///   continues; 200 deep it is taken for a cycle and stopped.
/// - **Lifetime**: delegates are held weakly. The place of one that was deinitialized is swept by the next `invoke`.
/// - **Cost**: invoking is O(*n*), a weak load and a cast for each delegate, and no lock. Adding is O(1), removing O(*n*).
///
/// The original's text names it as a sibling of ``Subject``, and this is one: typed methods in place of one notification.
public final class MulticastDelegate<Delegate>: Sendable {
  let delegates = Members<Call<Delegate>>()

  /// Without delegates.
  public init() {}

  /// Adds a delegate, after those already there.
  ///
  /// - Precondition: It is an object. A struct or an enum cannot be held weakly; it would be released immediately and never be
  ///   called.
  public func add(_ delegate: Delegate) {
    let reference = Reference(delegate)
    // Not a precondition: a release build would stop without a word.
    guard reference.isWeak else {
      fatalError(
        "a MulticastDelegate holds its delegates weakly, so they must be objects: \(type(of: delegate as Any)) is not")
    }
    delegates.add(delegate as AnyObject) { ended in
      { message in
        if !reference.with(message.value.function) { ended.raise() }
      }
    }
  }

  /// Removes a delegate now: the first, if it was added more than once. One that is not there is ignored.
  ///
  /// Once this has returned no call of it begins, also in an `invoke` that is under way.
  public func remove(_ delegate: Delegate) { delegates.remove(delegate as AnyObject) }

  /// Hands every delegate to the closure.
  ///
  /// ```swift
  /// players.invoke { $0.didStart() }
  /// ```
  public func invoke(_ call: (Delegate) -> Void) {
    withoutActuallyEscaping(call) { delegates.notify(Call(function: $0)) }
  }
}

extension MulticastDelegate: Sequence {
  /// The delegates that live now, in their order. Iterating keeps these, whatever is added or removed meanwhile.
  public func makeIterator() -> IndexingIterator<[Delegate]> {
    delegates.all.map { $0 as! Delegate }.makeIterator()
  }
}

/// The function that is called with each delegate. It is in a struct, since a bare function is wrapped again at each generic type.
struct Call<Delegate> {
  let function: (Delegate) -> Void
}
