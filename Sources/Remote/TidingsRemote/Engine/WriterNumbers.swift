/// The number of the latest write of each writer that went into a stored value (a version vector), latest writer last.
///
/// A writer is looked up only while one of its writes is unanswered, so the vector is bounded: it forgets the writer that
/// wrote longest ago once `limit` others have written since.
struct WriterNumbers: Sendable, Equatable, Codable {
  private struct Entry: Sendable, Equatable, Codable {
    let writer: String
    let number: UInt64
  }
  static var limit: Int { 128 }
  private var entries: [Entry] = []

  subscript(writer: String) -> UInt64 { entries.last { $0.writer == writer }?.number ?? 0 }

  func adding(_ number: UInt64, of writer: String) -> WriterNumbers {
    var result = self
    result.entries.removeAll { $0.writer == writer }
    if result.entries.count >= Self.limit { result.entries.removeFirst() }
    result.entries.append(Entry(writer: writer, number: number))
    return result
  }

  init() {}
  init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([Entry].self).suffix(Self.limit)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}
