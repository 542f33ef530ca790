#if NATS
import Foundation
import RemoteTestSupport

/// A client of the broker that does what its operators and other programs may do, in the protocol's own lines and without the
/// library.
final class BrokerOperator: Sendable {
  private let descriptor: Int32
  /// Retained: a broker ends with its last reference.
  private let server: Server

  init(_ server: Server) throws {
    self.server = server
    let words = server.url.replacing("nats://", with: "").split(separator: ":")
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (UInt16(words[1]) ?? 0).bigEndian
    address.sin_addr.s_addr = inet_addr(String(words[0]))
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure(description: "no connection to \(server.url)") }
    try write(#"CONNECT {"verbose":false,"headers":true,"no_responders":true}"# + "\r\nSUB answer.* 1\r\n")
  }
  deinit { close(descriptor) }
  private struct Failure: Error, CustomStringConvertible { let description: String }

  /// The answer's text, its protocol included.
  @discardableResult
  func ask(_ subject: String, _ body: String = "", headers: [String: String] = [:]) throws -> String {
    let answer = "answer.\(UInt32.random(in: 0 ... .max))"
    if headers.isEmpty {
      try write("PUB \(subject) \(answer) \(body.utf8.count)\r\n\(body)\r\n")
    } else {
      let head = "NATS/1.0\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
      try write(
        "HPUB \(subject) \(answer) \(head.utf8.count) \(head.utf8.count + body.utf8.count)\r\n\(head)\(body)\r\n")
    }
    var text = ""
    while !Self.isWhole(text, answer) {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { throw Failure(description: "the broker has closed the connection: \(text)") }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    guard !text.contains(#""error""#), !text.contains("NATS/1.0 503") else { throw Failure(description: text) }
    return text
  }

  /// Whether it has the whole message of a subject: a line that ends with its size, and as many bytes.
  private static func isWhole(_ text: String, _ subject: String) -> Bool {
    guard let start = text.range(of: "MSG \(subject) "), let end = text[start.upperBound...].range(of: "\r\n"),
      let size = text[start.upperBound..<end.lowerBound].split(separator: " ").last.flatMap({ Int($0) })
    else { return false }
    return text[end.upperBound...].utf8.count >= size + 2
  }

  func deleteStream(_ name: String) throws { try ask("$JS.API.STREAM.DELETE.\(name)") }
  /// As the broker's own clients delete a key: by a mark, which may take the place of all that was there.
  func deleteKey(_ key: String, purging: Bool = false) throws {
    try ask(
      "$KV.tidings.\(key)",
      headers: purging ? ["KV-Operation": "PURGE", "Nats-Rollup": "sub"] : ["KV-Operation": "DEL"])
  }
  /// Removes messages without a mark.
  func purge(_ stream: String, _ subject: String) throws {
    try ask("$JS.API.STREAM.PURGE.\(stream)", #"{"filter":"\#(subject)"}"#)
  }

  private func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { throw Failure(description: "not sent") }
  }
}
#endif
