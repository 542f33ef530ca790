#if Inspector
/// Decides what of the bytes of one client reaches the server: until the client has named the token, requests of limited length,
/// and one short frame. It has neither sockets nor a clock, so that a test can give it any bytes.
struct Admission {
  /// The limits before the token.
  enum Limit {
    static let connections = 32
    /// The bytes of a request line and its headers, with the empty line at their end.
    static let head = 8_192
    /// The bytes of the text that a socket begins with.
    static let frame = 64
    /// The time from the connection to the token.
    static let patience = Duration.seconds(5)
    /// The part of that time in which no other connection takes its place.
    static let grace = Duration.milliseconds(50)
  }

  /// Why a client is sent away, with the answer that it receives.
  enum Refusal: String {
    case malformed = "400 Bad Request"
    case foreign = "403 Forbidden"
    case long = "431 Request Header Fields Too Large"
    /// A frame that is no token: nothing is said.
    case noToken = ""

    var response: [UInt8] {
      self == .noToken ? [] : Array("HTTP/1.1 \(rawValue)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    }
  }

  struct Verdict: Equatable {
    /// The bytes that are passed to the server.
    var passed: [UInt8] = []
    /// Non-nil: the client is sent away after it.
    var refusal: Refusal?
  }

  private enum State { case head, frame, wrongToken, admitted }
  private var state = State.head
  private var received: [UInt8] = []
  /// Up to where there is no end of a head.
  private var searched = 0
  private let token: AccessToken

  init(_ token: AccessToken) { self.token = token }

  /// Whether the client has named the token: then nothing is limited.
  var isAdmitted: Bool { state == .admitted }

  /// Takes what the client has sent.
  mutating func receive(_ bytes: some Collection<UInt8>) -> Verdict {
    received += bytes
    var verdict = Verdict()
    while verdict.refusal == nil, step(&verdict) {}
    return verdict
  }

  /// Whether there may be more to do with what was received.
  private mutating func step(_ verdict: inout Verdict) -> Bool {
    switch state {
    case .admitted:
      verdict.passed += received
      received = []
    case .wrongToken:
      // The server closes the socket, and says why.
      received = []
    case .head:
      guard let end = endOfHead() else {
        if received.count >= Limit.head { verdict.refusal = .long }
        return false
      }
      replaceNonASCII(before: end)
      let (head, length) = (RequestHead(received[..<end]), end + 4)
      guard length <= Limit.head else {
        verdict.refusal = .long
        return false
      }
      guard let head else {
        verdict.refusal = .malformed
        return false
      }
      guard head.isLocal else {
        verdict.refusal = .foreign
        return false
      }
      if head.names(token) { state = .admitted } else if head.asksForSocket { state = .frame }
      pass(length, to: &verdict)
      return true
    case .frame:
      guard received.count >= 2 else { return false }
      // The only frame of a masked text, of a length that the second byte holds.
      let length = Int(received[1] & 0x7f)
      guard received[0] == 0x81, received[1] & 0x80 != 0, length <= Limit.frame else {
        verdict.refusal = .noToken
        return false
      }
      guard received.count >= 6 + length else { return false }
      let text = received[6..<6 + length].enumerated().map { $1 ^ received[2 + $0 % 4] }
      state = token.matches(String(decoding: text, as: UTF8.self)) ? .admitted : .wrongToken
      pass(6 + length, to: &verdict)
      return true
    }
    return false
  }

  private mutating func pass(_ count: Int, to verdict: inout Verdict) {
    verdict.passed += received[..<count]
    received.removeFirst(count)
    searched = 0
  }

  /// Replaces what is not ASCII in the headers by `?`. A browser sends the cookies of every program on this machine, and these have
  /// any bytes, while the server reads valid UTF-8 alone. No host, origin or token with such a byte is accepted.
  private mutating func replaceNonASCII(before end: Int) {
    let headers = received[..<end].firstIndex(of: 10) ?? end
    for index in headers..<end where received[index] >= 128 { received[index] = UInt8(ascii: "?") }
  }

  private mutating func endOfHead() -> Int? {
    let end: [UInt8] = [13, 10, 13, 10]
    var index = max(0, searched - 3)
    while index + 4 <= received.count {
      if received[index] == 13, received[index..<index + 4].elementsEqual(end) { return index }
      index += 1
    }
    searched = received.count
    return nil
  }
}
#endif
