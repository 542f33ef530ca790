/// The allocations that a subscription needs, and nothing else: the token that the client holds, the place that deliverers look at,
/// and the context of the closure. No handler can be notified or cancelled here.
///
/// Three objects are the minimum. The compiler allocates the closure's context. Token and place cannot be one object: captures
/// would live as long as the client keeps a cancelled token, or deliverers would read the memory of a dropped token.
final class BareObjects: Contender {
  static let name = "bare objects"

  /// The list it belongs to, the place, where in the list that is, and whether it is paused.
  final class Token {
    let list: BareObjects
    let place: Place
    let index: Int
    init(_ list: BareObjects, _ place: Place, _ index: Int) {
      self.list = list
      self.place = place
      self.index = index
    }
  }
  /// The closure, and the way back to the token.
  final class Place {
    let call: @isolated(any) @Sendable (Int) -> Void
    unowned(unsafe) var token: Token?
    init(_ call: @escaping @isolated(any) @Sendable (Int) -> Void) { self.call = call }
  }
  private var places: [Place] = []

  func subscribe(_ tally: Tally) -> Token { add { tally.add($0) } }
  private func add(_ call: @escaping @isolated(any) @Sendable (Int) -> Void) -> Token {
    let place = Place(call)
    let token = Token(self, place, places.count)
    place.token = token
    places.append(place)
    return token
  }

  func emit(_ payloads: Range<Int>) {}
}
