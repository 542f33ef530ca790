@ObservedProperties @MainActor final class Order {
  var count: Int = 1
  var note: String!
  let `default` = 2
  @Derived var commented: Int {
    count  // the last line
  }
  @Derived var conditional: Int {
    #if DEBUG
    count
    #else
    count + `default`
    #endif
  }
  @Derived var unwrapped: Int { note.count + self.note.count + self.default }
}
