import Foundation
import Synchronization
import Tidings

/// The part of JSON that most payloads use, written and read without the intermediate tree of Foundation's coders, in a fifth to a
/// third of their time. It is a fast path and nothing more: whatever it does not know makes it give up, and Foundation's coder then
/// does the work from the start, and says what is wrong. What it does know it writes and reads exactly as Foundation does.
///
/// A coder that has met something unknown remembers that, because a type may catch the error and continue.
enum PlainJSON {
  /// Foundation's coder is to be asked.
  struct Unknown: Error {}
  /// Deeper values are left to Foundation.
  static var depth: Int { 64 }

  /// Foundation's coders treat these in a way of their own.
  static func isSpecial(_ type: Any.Type) -> Bool { type == Data.self || type == URL.self || type == Decimal.self }

  /// Nil where Foundation's encoder is to be asked.
  static func encode<Payload: Encodable>(_ payload: Payload, into output: PlainJSONOutput = PlainJSONOutput()) -> Data?
  {
    let isWritten = (try? output.writeValue(payload)) != nil && !output.hasGivenUp
    let data = output.finish()
    return isWritten ? data : nil
  }

  /// Nil where Foundation's decoder is to be asked.
  static func decode<Payload: Decodable>(_ type: Payload.Type, from data: Data) -> Payload? {
    guard let document = PlainJSONDocument(data) else { return nil }
    guard let payload = try? document.read(type, at: 0), !document.hasGivenUp else { return nil }
    return payload
  }
}

/// Whether the fast path is worth a try: after it has given up, it is not tried for a while, so that a type that it never knows
/// costs hardly more than with Foundation's coder alone.
final class PlainJSONAttempts: Sendable {
  private let skipped = Atomic(0)

  func attempt<R>(_ body: () -> R?) -> R? {
    if skipped.load(ordering: .relaxed) > 0 {
      skipped.subtract(1, ordering: .relaxed)
      return nil
    }
    guard let result = body() else {
      skipped.store(256, ordering: .relaxed)
      return nil
    }
    return result
  }
}

/// An output that is used again, with its memory; a second one where two threads encode simultaneously.
final class PlainJSONOutputs: Sendable {
  /// Unchecked: taken out of the lock, it belongs to one thread until it is put back.
  private struct Spare: @unchecked Sendable { var output: PlainJSONOutput? }
  private let spare = Lock(Spare())

  func encode<Payload: Encodable>(_ payload: Payload) -> Data? {
    let output =
      spare.withLock { spare in
        defer { spare.output = nil }
        return Spare(output: spare.output)
      }.output ?? PlainJSONOutput()
    defer {
      let used = Spare(output: output)
      spare.withLock { $0 = used }
    }
    return PlainJSON.encode(payload, into: output)
  }
}
