#if SQLite
import TidingsRemote

/// One subscription to the messages of a journal, and how far it has come.
struct JournalSubscriber {
  let subject: String
  /// The number up to which it has been given what there is.
  var last: Int64
  /// The place of its last kept message; nil if it is unknown.
  var place: Int64?
  var isPaused = false
  /// Nil where messages are not kept.
  let missed: (@Sendable (Int?) -> Void)?
  let receive: @Sendable ([RemoteMessage]) -> TransportDemand

  /// Gives it messages of its subject, and a mark where some were removed.
  mutating func take(_ messages: ArraySlice<RemoteMessage>) {
    var rest = messages
    if let missed {
      for index in messages.indices {
        let message = messages[index]
        let isCounted = !message.id.isEmpty && (1..<RemoteMessage.largestNumber).contains(message.number)
        let number = isCounted ? Int64(message.number) : nil
        if let place, let number, number > place + 1 {
          give(rest[..<index])
          rest = rest[index...]
          missed(Int(clamping: number - place - 1))
        }
        place = number
      }
    }
    give(rest)
  }
  private mutating func give(_ messages: ArraySlice<RemoteMessage>) {
    // It wants no more for now: what comes is read again when it is resumed. What is not kept is never held back.
    if !messages.isEmpty, receive(Array(messages)) == .none, missed != nil { isPaused = true }
  }
}
#endif
