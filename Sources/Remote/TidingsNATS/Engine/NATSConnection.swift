#if NATS
import CNats
import Foundation
import TidingsRemote
import Tidings

/// One connection of the client library, from its making to its loss. It does not reconnect: `NATSLink` makes another, so that
/// there is one way in which subscriptions and consumers come to be.
///
/// Unchecked: the pointers are constants, libnats's functions may be called from any thread, and they are destroyed in `deinit`.
final class NATSConnection: @unchecked Sendable {
  struct Configuration: Sendable {
    let servers: [String]
    let credentials: NATSCredentials
    let trust: NATSTrust
    let timeout: Duration
  }
  private let connection: OpaquePointer
  private let options: OpaquePointer
  private let number: UInt
  /// The server, and the largest body that it takes.
  let url: String
  let maximum: Int

  /// Connects; blocks until that is done or has failed.
  init(_ configuration: Configuration, _ sink: ConnectionSink) throws {
    var made: OpaquePointer?
    try Self.check(natsOptions_Create(&made))
    guard let options = made else { throw TransportError.unavailable("nats: out of memory") }
    let number = connectionSinks.add(sink)
    do {
      try Self.set(configuration, options)
      let closure = UnsafeMutableRawPointer(bitPattern: number)
      natsOptions_SetClosedCB(options, onClosed, closure)
      natsOptions_SetErrorHandler(options, onError, closure)
      var connected: OpaquePointer?
      try Self.check(natsConnection_Connect(&connected, options))
      guard let connected else { throw TransportError.unavailable("nats: no connection") }
      (connection, self.options, self.number) = (connected, options, number)
      var buffer = [CChar](repeating: 0, count: 512)
      _ = natsConnection_GetConnectedUrl(connected, &buffer, buffer.count)
      url = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      maximum = Int(natsConnection_GetMaxPayload(connected))
    } catch {
      connectionSinks.remove(number)
      natsOptions_Destroy(options)
      throw error
    }
  }
  deinit {
    connectionSinks.remove(number)
    natsConnection_Destroy(connection)
    natsOptions_Destroy(options)
  }

  private static func set(_ configuration: Configuration, _ options: OpaquePointer) throws {
    var servers = configuration.servers.map { UnsafePointer(strdup($0)) }
    defer { for server in servers { free(UnsafeMutablePointer(mutating: server)) } }
    try check(natsOptions_SetServers(options, &servers, Int32(servers.count)))
    natsOptions_SetName(options, "Tidings")
    natsOptions_SetTimeout(options, configuration.timeout.milliseconds)
    natsOptions_SetAllowReconnect(options, false)
    natsOptions_UseGlobalMessageDelivery(options, true)
    natsOptions_SetPingInterval(options, 10_000)
    natsOptions_SetMaxPingsOut(options, 2)
    // A broker that takes nothing more must not hold the writer for ever.
    natsOptions_SetWriteDeadline(options, 5_000)
    let trust = configuration.trust
    if trust.isSecure || configuration.servers.contains(where: { $0.hasPrefix("tls:") }) {
      try check(natsOptions_SetSecure(options, true))
    }
    if let file = trust.authorities { try check(natsOptions_LoadCATrustedCertificates(options, file), file) }
    if let host = trust.host { try check(natsOptions_SetExpectedHostname(options, host)) }
    if let identity = trust.identity {
      try check(natsOptions_LoadCertificatesChain(options, identity.certificate, identity.key), identity.certificate)
    }
    switch configuration.credentials.kind {
    case .none: break
    case .user(let name, let password): try check(natsOptions_SetUserInfo(options, name, password))
    case .token(let token): try check(natsOptions_SetToken(options, token))
    case .file(let path): try check(natsOptions_SetUserCredentialsFromFiles(options, path, nil), path)
    }
  }

  // MARK: Errors
  private static func check(_ status: natsStatus, _ what: String = "") throws {
    guard status != NATS_OK else { return }
    throw error(status, what)
  }
  /// The library's own words, with what it adds for this thread.
  static func error(_ status: natsStatus, _ what: String = "") -> TransportError {
    var text = String(cString: natsStatus_GetText(status))
    var kept = NATS_OK
    if let detail = nats_GetLastError(&kept), kept == status { text = String(cString: detail) }
    if !what.isEmpty { text += ": \(what)" }
    switch status {
    case NATS_MAX_PAYLOAD: return .rejected("nats: \(text)")
    default: return .unavailable("nats: \(text)")
    }
  }

  // MARK: Sending
  /// Into the library's buffer; may block while the broker takes nothing.
  func publish(_ message: OutgoingMessage) throws {
    let made = try make(message)
    defer { natsMsg_Destroy(made) }
    try Self.check(natsConnection_PublishMsg(connection, made))
  }
  private func make(_ message: OutgoingMessage) throws -> OpaquePointer? {
    var made: OpaquePointer?
    let created = message.body.withUnsafeBytes { bytes in
      natsMsg_Create(
        &made, message.subject, message.reply, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
    }
    try Self.check(created)
    do { for (name, value) in message.headers { try Self.check(natsMsgHeader_Set(made, name, value)) } } catch {
      natsMsg_Destroy(made)
      throw error
    }
    return made
  }
  /// To the network, on this thread, which does not wait unless the network's buffer is full. False if it is not sent, and nothing
  /// is known against it; throws if it is unknown whether it was.
  ///
  /// The library has two functions that write what they are given immediately instead of waking a thread of its own, and both are
  /// for requests. So a request is sent whose answer no thread waits for: its time limit is over immediately, and an answer is
  /// dropped.
  func publishImmediately(_ message: OutgoingMessage) throws -> Bool {
    guard message.body.count <= min(Self.small, maximum), let made = try? make(message) else { return false }
    defer { natsMsg_Destroy(made) }
    var reply: OpaquePointer?
    let status = natsConnection_RequestMsg(&reply, connection, made, 0)
    switch status {
    case NATS_TIMEOUT, NATS_NO_RESPONDERS: return true
    case NATS_OK:
      natsMsg_Destroy(reply)
      return true
    case NATS_INVALID_ARG, NATS_MAX_PAYLOAD, NATS_NO_SERVER_SUPPORT, NATS_CONNECTION_CLOSED: return false
    default: throw Self.error(status)
    }
  }
  /// Bytes that fit into the buffers of any network.
  private static let small = 4_096
  /// Returns when the broker has taken in what was published.
  func flush(_ timeout: Duration) throws {
    try Self.check(natsConnection_FlushTimeout(connection, timeout.milliseconds))
  }
  func close() { natsConnection_Close(connection) }

  // MARK: Receiving
  func subscribe(_ subject: String, _ sink: @escaping MessageSink) throws -> NATSSubscription {
    let number = messageSinks.add(sink)
    var made: OpaquePointer?
    let status = natsConnection_Subscribe(
      &made, connection, subject, onMessage, UnsafeMutableRawPointer(bitPattern: number))
    guard status == NATS_OK, let made else {
      messageSinks.remove(number)
      // An inbox has another name each time, by which no report would be recognized as one that was made before.
      throw Self.error(status, subject.hasPrefix("_INBOX.") ? "" : subject)
    }
    // The library keeps nothing back: callbacks never wait, and what they append to is bounded (events, by `EventIntake`; what was
    // asked for, by how much is asked for).
    natsSubscription_SetPendingLimits(made, -1, -1)
    return NATSSubscription(made, number)
  }
}

/// A subscription of the client library; ends when it is deinitialized.
///
/// Unchecked: the pointer is a constant that is used in `deinit` alone.
final class NATSSubscription: @unchecked Sendable {
  private let subscription: OpaquePointer
  private let number: UInt
  fileprivate init(_ subscription: OpaquePointer, _ number: UInt) {
    (self.subscription, self.number) = (subscription, number)
  }
  deinit {
    messageSinks.remove(number)
    natsSubscription_Destroy(subscription)
  }
}
#endif
