public import Foundation

/// How a payload is written for other processes, under a name and a version that travel with it.
///
/// ```swift
/// let schema = Schema<Price>.json("price", version: 2, reading: [1: { data in try Price(old: data) }])
/// let priced = relay.event("market.priced", of: Price.self, schema: schema)
/// ```
///
/// A message of a version that is neither the current one nor among those that can be read, of a later release say, is
/// reported in `Relay.failures`; where it is kept it is left unacknowledged, for a process that can read it.
public struct Schema<Payload: Sendable>: Sendable {
  /// The payload's name, the same in all processes.
  public let name: String
  /// The version that is written.
  public let version: Int
  private let write: @Sendable (Payload) throws -> Data
  private let read: @Sendable (Data) throws -> Payload
  private let older: [Int: @Sendable (Data) throws -> Payload]

  /// - Parameters:
  ///   - name: The payload's name, the same in all processes.
  ///   - version: The version that `write` writes and `read` reads.
  ///   - older: Reads other versions, by number.
  ///   - write: Encodes a payload. Runs on any thread.
  ///   - read: Decodes one.
  public init(
    _ name: String, version: Int, reading older: [Int: @Sendable (Data) throws -> Payload] = [:],
    write: @escaping @Sendable (Payload) throws -> Data, read: @escaping @Sendable (Data) throws -> Payload
  ) {
    (self.name, self.version, self.older) = (name, version, older)
    (self.write, self.read) = (write, read)
  }

  /// As JSON.
  ///
  /// - Parameters:
  ///   - name: The payload's name; that of its type unless given.
  ///   - version: Its version.
  ///   - older: Reads other versions, by number.
  public static func json(
    _ name: String = String(describing: Payload.self), version: Int = 1,
    reading older: [Int: @Sendable (Data) throws -> Payload] = [:]
  ) -> Schema where Payload: Codable {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let (writing, reading, outputs) = (PlainJSONAttempts(), PlainJSONAttempts(), PlainJSONOutputs())
    return Schema(name, version: version, reading: older) { payload in
      try writing.attempt { outputs.encode(payload) } ?? encoder.encode(payload)
    } read: { data in
      try reading.attempt { PlainJSON.decode(Payload.self, from: data) } ?? decoder.decode(Payload.self, from: data)
    }
  }

  func encode(_ payload: Payload) throws -> Data { try write(payload) }

  func decode(_ data: Data, name: String, version: Int) throws -> Payload {
    guard name == self.name else { throw Unreadable(description: "schema '\(name)', expected '\(self.name)'") }
    if version == self.version { return try read(data) }
    guard let upgrade = older[version] else {
      throw Unreadable(description: "version \(version) of '\(name)', this process reads \(self.version)")
    }
    return try upgrade(data)
  }

  /// For transports that read what they keep.
  ///
  /// - Parameter message: A message that was written with this schema, or one that it reads.
  /// - Returns: Its payload.
  /// - Throws: What decoding throws, or that its schema cannot be read.
  public func decode(_ message: RemoteMessage) throws -> Payload {
    try decode(message.body, name: message.schema, version: message.version)
  }

  private struct Unreadable: Error, CustomStringConvertible { let description: String }

  /// The same payload in a question or an answer.
  var ofHookMessages: Schema<HookMessage<Payload>> {
    Schema<HookMessage<Payload>>(
      name, version: version,
      reading: older.mapValues { read -> @Sendable (Data) throws -> HookMessage<Payload> in
        { data in try HookMessage.read(data, read) }
      },
      write: { [write] message in try message.header.body(message.payload.map(write) ?? Data()) },
      read: { [read] data in try HookMessage.read(data, read) })
  }
}

extension Schema<Data> {
  /// Bytes as they are.
  public static var data: Schema { Schema("data", version: 1, write: { $0 }, read: { $0 }) }
}
