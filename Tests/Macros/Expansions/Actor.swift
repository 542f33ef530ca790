@ObservedProperties actor Account {
  var balance = 0.0
  @Derived var line: String { "\(balance)" }
}
