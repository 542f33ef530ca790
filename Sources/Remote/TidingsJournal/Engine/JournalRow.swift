#if SQLite
import Foundation
import GRDB
import TidingsRemote

/// The one place where fields of rows are decoded. Any program may have written them, and GRDB's own subscripts trap on a value of
/// another type.
extension Row {
  func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }
  func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }
  private func data(_ index: Int) -> Data? { Data.fromDatabaseValue(self[index]) }
  /// A position, sequence or revision; nil if it is out of bounds.
  func number(_ index: Int) -> UInt64? { integer(index).flatMap { StoreNumber.checked($0) } }
  /// How many attempts are counted.
  func attempts(_ index: Int) -> Int { Int(Int32(clamping: Swift.max(0, integer(index) ?? 0))) }
  /// A time in microseconds, from 1970 on.
  func time(_ index: Int) -> Int64 { Int64(number(index) ?? 0) }

  /// The columns of `JournalStore.columns`. What has another type is passed as what the relay rejects.
  var message: RemoteMessage {
    let body = data(8)
    return RemoteMessage(
      subject: text(1) ?? "", id: text(2) ?? "", origin: text(3) ?? "",
      number: integer(4).flatMap { UInt64(exactly: $0) } ?? .max,
      hops: body == nil ? -1 : integer(5).flatMap { Int(exactly: $0) } ?? -1, schema: text(6) ?? "",
      version: integer(7).flatMap { Int(exactly: $0) } ?? -1, body: body ?? Data(), sequence: number(0) ?? .max)
  }

  /// A revision and a body.
  ///
  /// - Throws: ``TransportError`` if it is not what a relay has written.
  func value(of key: String) throws -> StoredValue {
    guard let revision = number(0), let body = data(1) else {
      throw TransportError.rejected("journal: '\(key)' is not a value of a relay")
    }
    return StoredValue(body, revision: revision)
  }
}
#endif
