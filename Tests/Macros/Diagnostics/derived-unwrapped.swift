import TidingsMacros

@ObservedProperties @MainActor final class Order {
  var note: String!
  // error: 'Int!' is no type of a value: write 'Int?'
  @Derived var length: Int! { note.count }
}
