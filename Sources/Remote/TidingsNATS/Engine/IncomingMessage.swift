#if NATS
import CNats
import Foundation

/// A message of the client library, which is destroyed with it.
///
/// Unchecked: the pointer is a constant, and one owner at a time reads the message; libnats has handed it over.
struct IncomingMessage: ~Copyable, @unchecked Sendable {
  private let pointer: OpaquePointer
  /// Whether no other waits after it.
  let isLast: Bool

  init(_ pointer: OpaquePointer, isLast: Bool) { (self.pointer, self.isLast) = (pointer, isLast) }
  deinit { natsMsg_Destroy(pointer) }

  var subject: String { String(cString: natsMsg_GetSubject(pointer)) }
  /// The number with which the subject ends, after the given number of bytes.
  func number(after count: Int) -> UInt64? {
    let subject = natsMsg_GetSubject(pointer)!
    let length = strlen(subject)
    guard length > count else { return nil }
    let digits = UnsafeRawBufferPointer(start: subject + count, count: length - count)
    return UInt64(String(decoding: digits, as: UTF8.self))
  }
  var reply: String? { natsMsg_GetReply(pointer).map { String(cString: $0) } }
  var body: Data { Data(bytes: natsMsg_GetData(pointer), count: Int(natsMsg_GetDataLength(pointer))) }
  /// The approximate number of bytes that the message takes in memory.
  var size: Int { Int(natsMsg_GetDataLength(pointer)) + 256 }
  func header(_ name: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
    return String(cString: value)
  }
  /// The bytes of a header during `body`; none if there is no such header. They are the message's.
  func withHeader<R>(_ name: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    var value: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return body(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }
  /// The status of a message of the broker that carries no data: 100, 404, 408, 409, 503.
  var status: Int? {
    if natsMsg_GetDataLength(pointer) > 0 { return nil }
    return header("Status").flatMap(Int.init)
  }
}

/// A message on its way out.
struct OutgoingMessage: Sendable {
  var subject: String
  var reply: String?
  var headers: [(String, String)] = []
  var body = Data()
}
#endif
