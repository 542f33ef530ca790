#if NATS
import CNatsRaw
import Foundation
import Synchronization

/// The client library by itself: bytes of the size of a tick's message, counted in its callback.
final class RawNATS: @unchecked Sendable {
  private var connection: OpaquePointer?
  private var options: OpaquePointer?
  private let body = Array(#"{"symbol":"ACME","price":101.25,"number":123456}"#.utf8)

  /// Unchecked: used by one task at a time.
  init(_ url: String, asSoonAsPossible: Bool = false) {
    natsOptions_Create(&options)
    natsOptions_SetURL(options, url)
    natsOptions_SetSendAsap(options, asSoonAsPossible)
    precondition(natsConnection_Connect(&connection, options) == NATS_OK)
  }

  func publish(_ subject: String, _ count: Int) {
    for _ in 0..<count { natsConnection_Publish(connection, subject, body, Int32(body.count)) }
    natsConnection_FlushTimeout(connection, 60_000)
  }
  func publish(_ subject: String, _ text: String) { natsConnection_PublishString(connection, subject, text) }

  func subscribe(_ subject: String) {
    var subscription: OpaquePointer?
    natsConnection_Subscribe(&subscription, connection, subject, countRaw, nil)
    natsSubscription_SetPendingLimits(subscription, -1, -1)
    natsConnection_FlushTimeout(connection, 5_000)
  }

  /// Asynchronously, as many under way as the library's own limit allows.
  func store(_ subject: String, _ stream: String, _ count: Int) {
    var (context, configuration) = (OpaquePointer?.none, jsStreamConfig())
    var limits = jsOptions()
    jsOptions_Init(&limits)
    limits.PublishAsync.MaxPending = 4_096
    limits.PublishAsync.StallWait = 10_000
    natsConnection_JetStream(&context, connection, &limits)
    jsStreamConfig_Init(&configuration)
    stream.withCString { name in
      subject.withCString { subject in
        var subjects: [UnsafePointer<CChar>?] = [subject]
        subjects.withUnsafeMutableBufferPointer { subjects in
          configuration.Name = name
          configuration.Subjects = subjects.baseAddress
          configuration.SubjectsLen = 1
          js_AddStream(nil, context, &configuration, nil, nil)
        }
      }
    }
    for number in 0..<count {
      var options = jsPubOptions()
      jsPubOptions_Init(&options)
      "\(stream)\(number)".withCString { id in
        options.MsgId = id
        js_PublishAsync(context, subject, body, Int32(body.count), &options)
      }
    }
    js_PublishAsyncComplete(context, nil)
    jsCtx_Destroy(context)
  }
  deinit {
    natsConnection_Destroy(connection)
    natsOptions_Destroy(options)
  }
}

private let rawCount = Atomic(0)
private let rawFirst = Atomic<Int64>(0)
private let rawLimit = Atomic(0)
private let rawSays = Atomic(false)
// A constant of the file: formed elsewhere it might be isolated to an actor.
private let countRaw: natsMsgHandler = { _, _, message, _ in
  if rawSays.load(ordering: .relaxed), natsMsg_GetDataLength(message) < 30 {
    let began = Int64(String(cString: natsMsg_GetData(message))) ?? 0
    say("\(monotonicNow() - began)")
  } else {
    let count = rawCount.add(1, ordering: .relaxed).newValue
    if count == 1 { rawFirst.store(monotonicNow(), ordering: .relaxed) }
    if count == rawLimit.load(ordering: .relaxed) { say("\(monotonicNow() - rawFirst.load(ordering: .relaxed))") }
  }
  natsMsg_Destroy(message)
}

/// The other process of the client library alone.
enum RawProcess {
  static func run(_ arguments: [String]) async throws {
    let raw = RawNATS(arguments[3])
    rawLimit.store(Int(arguments[4])!, ordering: .relaxed)
    rawSays.store(arguments[2] == "times", ordering: .relaxed)
    raw.subscribe("raw")
    say("ready")
    await ChildProcess.inputEnds()
    withExtendedLifetime(raw) {}
  }
}
#endif
