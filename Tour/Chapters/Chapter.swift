/// A stop of the tour: shows one thing, on whatever prices it is given.
@MainActor
protocol Chapter {
  static var title: String { get }

  /// Describes in a sentence or two what the chapter shows.
  static var summary: String { get }

  /// The lines of the chapter that did it. A test finds each of them in its source.
  static var code: String { get }

  /// Plays `market`, which has a price at least, and prints what its handlers received.
  static func present(of market: Market, on page: Page) async
}

/// In the order in which they are presented.
@MainActor let chapters: [any Chapter.Type] = [
  Reactions.self, Order.self, Lifetimes.self, Actors.self, Values.self, Streams.self, Typing.self, Dialects.self,
]

/// Keeps what a handler received.
@MainActor
final class Notes<Item> {
  private(set) var items: [Item] = []
  func add(_ item: Item) { items.append(item) }
}
