#if NATS
/// The subjects of a batch of messages: each with how many follow one another, as most batches have one or few.
struct Runs: Sendable {
  private var runs: [(subject: String, count: Int)] = []

  init(_ subjects: some Sequence<String>) {
    for subject in subjects {
      if runs.last?.subject == subject { runs[runs.count - 1].count += 1 } else { runs.append((subject, 1)) }
    }
  }

  /// The subject of the message at a place.
  subscript(place: Int) -> String {
    var rest = place
    for run in runs {
      if rest < run.count { return run.subject }
      rest -= run.count
    }
    return ""
  }
  func contains(_ subject: String) -> Bool { runs.contains { $0.subject == subject } }
  var counts: [String: Int] { Dictionary(runs.map { ($0.subject, $0.count) }, uniquingKeysWith: +) }
}
#endif
