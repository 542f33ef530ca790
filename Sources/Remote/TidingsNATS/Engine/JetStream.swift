#if NATS
import Foundation
import TidingsRemote

/// The broker's own interface to its streams: requests in JSON. All functions block; they are for threads that may.
///
/// Not the client library's functions of that purpose: those publish through a table that keeps what a killed server had not
/// answered for ever, and wait on the caller's thread.
struct JetStream: Sendable {
  let session: NATSSession
  let storage: NATSStorage
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return encoder
  }
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  // MARK: Streams
  /// The stream that has a subject; made if there is none.
  ///
  /// A broker may be left with a stream that answers nothing when two connections make it simultaneously (nats-server 2.9.10 was).
  /// So a reader, which has nothing to store, first gives a sender a moment, of a random length.
  func stream(of subject: String, reading: Bool = false) throws -> String {
    let subject = NATSSubject.escape(subject)
    if let known = session.known(subject) { return known }
    var found = try findStream(subject)
    if found == nil, reading {
      Thread.sleep(forTimeInterval: .random(in: 0.02..<0.1))
      found = try findStream(subject)
    }
    let name = try found ?? makeStream(NATSSubject.stream(of: NATSSubject.unescape(subject)), subject)
    session.setKnown(subject, name)
    return name
  }

  private func findStream(_ subject: String) throws -> String? {
    struct Names: Decodable { let streams: [String]? }
    let names: Names = try call("STREAM.NAMES", ["subject": subject])
    return names.streams?.first
  }

  private func makeStream(_ name: String, _ subject: String) throws -> String {
    let isMade = try make(
      StreamConfiguration(
        name: name, subjects: [subject], maxMsgs: storage.newest ?? -1, maxAge: storage.age?.nanoseconds ?? 0,
        numReplicas: storage.replicas,
        duplicateWindow: min(storage.duplicates, storage.age ?? storage.duplicates).nanoseconds))
    if isMade { return name }
    if let found = try findStream(subject) { return found }
    throw TransportError.unavailable("nats: '\(name)' is being made")
  }

  /// The stream of a key-value bucket, as the broker's own clients make it.
  ///
  /// All readers learn simultaneously that a bucket was deleted. So each gives the others a moment, of a random length.
  func bucket(_ name: String, reading: Bool = false) throws -> (stream: String, extent: StreamExtent) {
    let stream = "KV_\(name)"
    if let created = session.known(created(stream)) { return (stream, StreamExtent(created: created, last: 0)) }
    for attempt in 0...1 {
      do { return (stream, try extent(of: stream)) } catch let error as APIError
        where error.errCode == APIError.streamNotFound
      {
        if !reading || attempt == 1 { break }
        Thread.sleep(forTimeInterval: .random(in: 0.02..<0.5))
      }
    }
    let isMade = try make(
      StreamConfiguration(
        name: stream, subjects: ["$KV.\(name).>"], numReplicas: storage.replicas,
        duplicateWindow: storage.duplicates.nanoseconds, maxMsgsPerSubject: 1, discard: "new",
        allowRollupHdrs: true, denyDelete: true, allowDirect: true))
    if !isMade { Thread.sleep(forTimeInterval: .random(in: 0.002..<0.02)) }
    return (stream, try extent(of: stream))
  }
  private func created(_ stream: String) -> String { "created \(stream)" }

  /// - Returns: Whether it has been made; false if another process was quicker.
  private func make(_ configuration: StreamConfiguration) throws -> Bool {
    do {
      let _: StreamInfo = try call("STREAM.CREATE.\(configuration.name)", configuration)
      return true
    } catch let error as APIError where [APIError.nameInUse, APIError.subjectInUse].contains(error.errCode) {
      return false
    }
  }

  /// Asks the broker when the stream was made, which distinguishes it from another of its name, and for its last sequence.
  ///
  /// The answer is remembered: when a reader learns that a bucket was made again, writers no longer expect numbers of the old one.
  func extent(of stream: String) throws -> StreamExtent {
    let info: StreamInfo = try call("STREAM.INFO.\(stream)", [String: String]())
    let extent = StreamExtent(
      created: info.created ?? "", last: StoreNumber.checked(info.state?.lastSeq ?? 0) ?? 0,
      first: StoreNumber.checked(info.state?.firstSeq ?? 0) ?? 0, isOfOneSubject: info.config?.isOfOneSubject ?? false)
    session.setKnown(created(stream), extent.created)
    return extent
  }

  /// Those of the stream's subjects that match, as far as they have messages.
  func subjects(of stream: String, matching filter: String) throws -> [String] {
    let info: StreamInfo = try call("STREAM.INFO.\(stream)", ["subjects_filter": filter])
    return (info.state?.subjects ?? [:]).keys.sorted()
  }

  // MARK: Consumers
  /// A consumer that is remembered: what it has been given and not acknowledged is given again.
  func makeDurable(_ name: String, of stream: String, subject: String) throws {
    let known = "\(stream) \(name)"
    if session.known(known) != nil { return }
    struct Request: Encodable {
      let streamName: String
      let config: ConsumerConfiguration
    }
    let configuration = ConsumerConfiguration(
      durableName: name, deliverPolicy: "all", ackPolicy: "explicit", ackWait: storage.claimTimeout.nanoseconds,
      maxDeliver: -1, filterSubject: NATSSubject.escape(subject), maxAckPending: -1)
    let _: ConsumerInfo = try call(
      "CONSUMER.DURABLE.CREATE.\(stream).\(name)", Request(streamName: stream, config: configuration))
    session.setKnown(known, name)
  }

  /// Removes a consumer that is remembered, if there is one.
  func removeDurable(_ name: String, of subject: String) throws {
    guard let stream = try findStream(NATSSubject.escape(subject)) else { return }
    session.setKnown("\(stream) \(name)", nil)
    try ignoring(APIError.consumerNotFound, APIError.streamNotFound) {
      let _: Success = try call("CONSUMER.DELETE.\(stream).\(name)", [String: String]())
    }
  }
  /// Removes all messages of a stream whose subjects match, if there is one.
  func purge(_ filter: String, of stream: String) throws {
    try ignoring(APIError.streamNotFound) {
      let _: Success = try call("STREAM.PURGE.\(stream)", ["filter": filter])
    }
  }
  private struct Success: Decodable { let success: Bool? }
  private func ignoring(_ codes: Int..., body: () throws -> Void) throws {
    do { try body() } catch let error as APIError where codes.contains(error.errCode ?? 0) {}
  }

  /// A consumer for one reader, removed by the broker a minute after its last request.
  ///
  /// - Parameter position: The sequence after which it begins; for the last message of each subject unless given.
  func makeReader(of stream: String, filter: String, after position: UInt64?) throws -> ConsumerInfo {
    struct Request: Encodable {
      let streamName: String
      let config: ConsumerConfiguration
    }
    let configuration = ConsumerConfiguration(
      deliverPolicy: position == nil ? "last_per_subject" : "by_start_sequence",
      optStartSeq: position.map { $0 + 1 }, ackPolicy: "none", filterSubject: filter,
      inactiveThreshold: 60_000_000_000, memStorage: true, numReplicas: 1)
    return try call("CONSUMER.CREATE.\(stream)", Request(streamName: stream, config: configuration))
  }

  func next(_ stream: String, _ consumer: String) -> String { "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)" }

  // MARK: Messages
  struct Stored: Decodable {
    let seq: UInt64
    let hdrs: Data?
    let data: Data?
    let time: String?
    /// Whether it is the mark of a key that another program has deleted.
    var isDeletion: Bool { header(NATSHeader.operation) != nil }
    /// One header of those that it contains in their wire format.
    func header(_ name: String) -> String? {
      for line in String(decoding: hdrs ?? Data(), as: UTF8.self).split(separator: "\r\n")
      where line.lowercased().hasPrefix(name.lowercased() + ":") {
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
      }
      return nil
    }
  }
  private struct StoredMessage: Decodable { let message: Stored }
  private struct LastRequest: Encodable { let lastBySubj: String }
  private struct SequenceRequest: Encodable { let seq: UInt64 }

  /// The newest message of a subject, nil if there is none.
  ///
  /// - Parameter orNoStream: Whether a stream that does not exist has none; otherwise it is an error.
  func last(of subject: String, in stream: String, orNoStream: Bool = false) throws -> Stored? {
    do {
      return try found { try call("STREAM.MSG.GET.\(stream)", LastRequest(lastBySubj: subject)) as StoredMessage }?
        .message
    } catch let error as APIError where orNoStream && error.errCode == APIError.streamNotFound { return nil }
  }
  func message(_ sequence: UInt64, in stream: String) throws -> Stored? {
    try found { try call("STREAM.MSG.GET.\(stream)", SequenceRequest(seq: sequence)) as StoredMessage }?.message
  }
  private func found<R>(_ body: () throws -> R) throws -> R? {
    do { return try body() } catch let error as APIError where error.errCode == APIError.noMessage { return nil }
  }

  // MARK: Calls
  private func call<Response: Decodable>(_ verb: String, _ request: some Encodable) throws -> Response {
    let reply = try session.ask(
      OutgoingMessage(subject: "$JS.API.\(verb)", body: try Self.encoder.encode(request)))
    if reply.status == 503 { throw TransportError.unavailable("nats: JetStream is not there (yet)") }
    if let error = try Self.decoder.decode(Acknowledgement.self, from: reply.body).error {
      // The names that are known are no longer true.
      if error.errCode == APIError.streamNotFound { session.forget() }
      throw error
    }
    return try Self.decoder.decode(Response.self, from: reply.body)
  }
}

/// An error that JetStream reports.
struct APIError: Error, Decodable, CustomStringConvertible {
  let code: Int
  let errCode: Int?
  let description: String

  static let streamNotFound = 10_059
  static let nameInUse = 10_058
  static let subjectInUse = 10_065
  static let noMessage = 10_037
  static let consumerNotFound = 10_014
  static let wrongRevision = 10_071
  /// A cluster of which too few servers have found one another yet.
  static let noPeers = 10_005

  /// As transports say it: what may be otherwise in a moment, and what will not.
  var transportError: TransportError {
    code >= 500 || errCode == Self.noPeers ? .unavailable("nats: \(description)") : .rejected("nats: \(description)")
  }
  static func translating<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as APIError { throw error.transportError }
  }
}

/// The fields that the broker writes into the reply subject of a message that a consumer delivers:
/// `$JS.ACK.stream.consumer.delivered.stream sequence.consumer sequence.time.pending`, since 2.9 perhaps with two more words first.
struct DeliveryReceipt: Sendable {
  let delivered: Int
  let sequence: UInt64
  let consumerSequence: UInt64
  /// When the message was stored, in microseconds since 1970.
  let time: UInt64

  init?(_ reply: String) {
    guard reply.hasPrefix("$JS.ACK.") else { return nil }
    let words = reply.utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
    guard words.count >= 9 else { return nil }
    let first = words.count >= 11 ? 6 : 4
    // Anybody may have sent it: numbers that a broker never gives are none.
    guard let delivered = Int32(words[first]), delivered > 0,
      let sequence = UInt64(words[first + 1]).flatMap({ StoreNumber.checked($0) }),
      let consumerSequence = UInt64(words[first + 2]).flatMap({ StoreNumber.checked($0) }),
      let time = UInt64(words[first + 3])
    else { return nil }
    (self.delivered, self.sequence, self.consumerSequence, self.time) = (
      Int(delivered), sequence, consumerSequence, time / 1_000
    )
  }
}
#endif
