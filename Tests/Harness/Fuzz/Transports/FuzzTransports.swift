import Foundation

@testable import TidingsNATS
@testable import TidingsRemote

/// Uses any bytes as what another process sends or has stored: headers, receipts, records, snapshots of values and answers. Nothing
/// that decodes them, or computes with what they give, traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTransports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = ByteReader(UnsafeRawBufferPointer(start: start, count: count))
  switch bytes.number(below: 8) {
  case 0: headers(&bytes)
  case 1: messages(&bytes)
  case 2: receipts(&bytes)
  case 3: records(&bytes)
  case 4: values(&bytes)
  case 5: answers(&bytes)
  case 6: texts(&bytes)
  default: payloads(&bytes)
  }
  return 0
}

extension ByteReader {
  /// A number that is close to a limit as often as not.
  fileprivate mutating func anyInteger() -> Int64 {
    let limits: [Int64] = [0, 1, -1, 16, 17, 1 << 48, 1 << 60, .max, .min, Int64(Int32.max)]
    if isOne(in: 3) { return (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) } }
    return limits[number(below: limits.count)] &+ Int64(Int8(bitPattern: byte()) % 3)
  }
  fileprivate mutating func rest() -> Data { Data(text(upTo: 255).utf8) }
}

/// Treats messages as an inbox does.
private func take(_ messages: [RemoteMessage]) {
  var (gaps, missed) = (GapDetector(), 0)
  for message in messages {
    do { try message.check() } catch { continue }
    missed += gaps.gap(before: message)
    expect(message.hops + 1 > message.hops, "hops overflow")
    expect((0...Hops.limit + 1).contains(message.hops), "\(message.hops) hops are accepted")
  }
  expect(missed >= 0, "\(missed) messages are missing")
  var limiter = ReportLimiter()
  let now = ContinuousClock.now
  for count in [missed, .max, missed] { _ = limiter.take(.missed(subject: "a", count: count), at: now) }
  _ = limiter.due(at: now + .seconds(1))
}

private func headers(_ bytes: inout ByteReader) {
  var decoder = NATSDecoder()
  let messages = (0..<bytes.number(below: 8)).map { _ in
    let text = bytes.text(upTo: 80)
    return Array(text.utf8).withUnsafeBytes { decoder.decode($0, subject: "a", body: Data(), sequence: 0) }
  }
  take(messages)
}

private func messages(_ bytes: inout ByteReader) {
  let messages = (0..<1_024).map { _ in
    RemoteMessage(
      subject: "a", id: "", origin: bytes.isOne(in: 2) ? "o" : "p", number: UInt64(bitPattern: bytes.anyInteger()),
      hops: Int(bytes.anyInteger()), schema: "", version: Int(bytes.anyInteger()), body: Data(),
      sequence: UInt64(bitPattern: bytes.anyInteger()))
  }
  take(messages)
}

private func receipts(_ bytes: inout ByteReader) {
  let numbers = (0..<10).map { _ in bytes.isOne(in: 4) ? bytes.text(upTo: 12) : "\(bytes.anyInteger())" }
  let texts = ["$JS.ACK." + numbers.joined(separator: "."), "$JS.ACK." + bytes.text(upTo: 60), bytes.text(upTo: 60)]
  for receipt in texts.compactMap(DeliveryReceipt.init) {
    expect(receipt.delivered - 1 >= 0 && receipt.sequence + 1 > 0, "numbers overflow")
    let extent = StreamExtent(created: bytes.text(upTo: 40), last: receipt.sequence)
    expect(extent.sequence(extent.revision(receipt.sequence)) == receipt.sequence || receipt.sequence == 0, "revision")
    _ = extent.sequence(UInt64(bitPattern: bytes.anyInteger()))
  }
}

private func records(_ bytes: inout ByteReader) {
  let text = #"{"returns":\#(bytes.anyInteger()),"delivered":\#(bytes.anyInteger())}"#
  for data in [Data(text.utf8), bytes.rest()] {
    guard let record = ClaimRecords.Record.decode(data, time: nil) else { continue }
    expect(record.attempts >= 0 && record.attempts + 1 > 0 && record.returns + 1 > 0, "attempts overflow")
  }
}

private func values(_ bytes: inout ByteReader) {
  var synchronizer = ValueSynchronizer(0, writer: "me")
  let rules: [ConflictRule<Int>] = [.latest, .theirs, .merge { $2 &+ $1 &- $0 }]
  for _ in 0..<bytes.number(below: 12) {
    let rule = rules[bytes.number(below: 3)]
    let header =
      #"{"writer":"o","number":\#(bytes.anyInteger()),"seen":[{"writer":"me","number":\#(bytes.anyInteger())}],"#
      + #""schema":"Int","version":1}"# + "\n7"
    let body = bytes.isOne(in: 4) ? bytes.rest() : Data(header.utf8)
    let stored = (try? ValueHeader.split(body)).map { header, body in
      ValueSynchronizer<Int>.Stored(
        value: body.count, writer: header.writer, seen: header.seen, revision: UInt64(bitPattern: bytes.anyInteger()))
    }
    switch bytes.number(below: 4) {
    case 0: if let stored { synchronizer.receive(stored, rule) }
    case 1: _ = synchronizer.receiveConflict(stored, rule)
    case 2: synchronizer.receiveAbsence()
    default: synchronizer.edit { $0 = Int(bytes.byte()) }
    }
    _ = synchronizer.nextWrite()
  }
}

private func answers(_ bytes: inout ByteReader) {
  let usual = #"{"stream":"\#(bytes.text(upTo: 8))", "seq":\#(bytes.anyInteger())}"#
  for body in [Data(usual.utf8), bytes.rest()] {
    _ = try? Acknowledgement.sequence(NATSReply(status: bytes.isOne(in: 8) ? 503 : nil, body: body))
    _ = try? JetStream.decoder.decode(StreamInfo.self, from: body)
    _ = try? JetStream.decoder.decode(ConsumerInfo.self, from: body)
    _ = try? JetStream.decoder.decode(JetStream.Stored.self, from: body).isDeletion
  }
}

private func texts(_ bytes: inout ByteReader) {
  let text = bytes.text(upTo: 200)
  let printable = text.printable
  expect(printable.printable == printable, "printed twice, it differs")
  expect(
    !printable.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }, "a control is left")
  expect(NATSSubject.unescape(NATSSubject.escape(text)) == text || text.isEmpty, "a name is another one")
  _ = NATSSubject.unescape(text)
  _ = NATSLink.withoutUser(text)
}

private func payloads(_ bytes: inout ByteReader) {
  let data = bytes.rest()
  let question =
    #"{"question":\#(bytes.anyInteger()),"replyTo":"\#(bytes.text(upTo: 12))","milliseconds":\#(bytes.anyInteger())}"#
    + "\n7"
  for body in [Data(question.utf8), data] {
    guard let (header, _) = try? HookHeader.split(body) else { continue }
    expect(header.replyTo?.contains { ".*> ".contains($0) } != true, "an answer goes to another subject")
    expect(
      (0...86_400_000).contains(header.milliseconds ?? 0), "a handler has \(header.milliseconds ?? 0) milliseconds")
  }
  _ = try? Schema<[String: [Int]]>.json().decode(
    RemoteMessage(subject: "a", id: "", origin: "", schema: "Dictionary<String, Array<Int>>", version: 1, body: data))
}
