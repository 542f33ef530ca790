extension String {
  /// The text in one line that only shows itself: line breaks, other control characters and bidirectional controls are escaped.
  ///
  /// Names, ids and reasons come from other processes. A terminal obeys an escape sequence in them, and in a log a line break would
  /// begin a line of its own.
  package var printable: String {
    if unicodeScalars.allSatisfy({ !Self.isControl($0) }) { return self }
    return unicodeScalars.reduce(into: "") { $0 += Self.isControl($1) ? $1.escaped(asASCII: true) : String($1) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isBidiControl
    }
  }
}

extension TransportReport {
  /// All reports of a relay and of its transport are brought into this form, so nothing after it needs to.
  var printable: TransportReport {
    switch self {
    case .state(.connected(let name)): .state(.connected(name.printable))
    case .state: self
    case .failure(let failure): .failure(failure.printable)
    }
  }
}

extension RelayFailure {
  fileprivate var printable: RelayFailure {
    switch self {
    case .transport(let message): .transport(message.printable)
    case .denied(let subject): .denied(subject: subject.printable)
    case .unreadable(let subject, let id, let reason):
      .unreadable(subject: subject.printable, id: id.printable, reason: reason.printable)
    case .missed(let subject, let count): .missed(subject: subject.printable, count: count)
    case .lagging(let subject, let count): .lagging(subject: subject.printable, count: count)
    case .dropped(let subject, let count, let reason):
      .dropped(subject: subject.printable, count: count, reason: reason.printable)
    case .dead(let subject, let id, let reason):
      .dead(subject: subject.printable, id: id.printable, reason: reason.printable)
    case .overdue(let subject, let consumer, let id):
      .overdue(subject: subject.printable, consumer: consumer.printable, id: id.printable)
    case .cycle(let subject, let hops): .cycle(subject: subject.printable, hops: hops)
    case .repeated(let failure, let count): .repeated(failure.printable, count: count)
    }
  }
}
