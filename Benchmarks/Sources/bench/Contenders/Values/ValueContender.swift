/// Something that keeps a value and notifies of what it was and what it is. A handler adds both.
protocol ValueContender {
  static var name: String { get }
  static func set(_ handlers: Int, _ tally: Tally) -> Loop
  /// Adds one in place, with one handler.
  static func update(_ tally: Tally) -> Loop
  /// Adds what is read, which is 7.
  static func read(_ tally: Tally) -> Loop
  /// Four values with one handler each are set together, to one, two, three and four times the payload.
  static func setFour(_ tally: Tally) -> Loop
}

/// Something that keeps values computed from others. A handler adds what it receives; `ByHand` documents what is computed.
protocol DerivingContender {
  static var name: String { get }
  static func diamond(_ tally: Tally) -> Loop
  static func wide(_ count: Int, _ tally: Tally) -> Loop
  static func deep(_ depth: Int, _ tally: Tally) -> Loop
  static func cellx(_ layers: Int, _ tally: Tally) -> Loop
}
