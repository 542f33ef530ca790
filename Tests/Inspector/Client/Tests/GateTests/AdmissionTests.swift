import Testing

@testable import TidingsInspector

@Suite("What a client may send before the token")
struct AdmissionTests {
  private let token = AccessToken()

  private func head(_ lines: String..., first: String = "GET / HTTP/1.1", host: String = "Host: 127.0.0.1:80")
    -> [UInt8]
  {
    Array(([first, host] + lines + ["", ""]).joined(separator: "\r\n").utf8)
  }
  private func frame(_ text: String, _ first: UInt8 = 0x81, mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
    [first, 0x80 | UInt8(text.utf8.count)] + mask + text.utf8.enumerated().map { $1 ^ mask[$0 % 4] }
  }
  private func verdict(_ bytes: [UInt8]) -> Admission.Verdict {
    var admission = Admission(token)
    return admission.receive(bytes)
  }

  @Test("A request reaches the server as it is, however it is cut")
  func cuts() {
    let requests = head() + head("Accept: */*", first: "GET /page.js HTTP/1.1", host: "host:\tlocalhost ")
    for length in 1...requests.count {
      var (admission, passed) = (Admission(token), [UInt8]())
      for start in stride(from: 0, to: requests.count, by: length) {
        let verdict = admission.receive(requests[start..<min(start + length, requests.count)])
        #expect(verdict.refusal == nil)
        passed += verdict.passed
      }
      #expect(passed == requests)
      #expect(!admission.isAdmitted)
    }
  }

  @Test(
    "A request that does not name this machine, and it alone, is refused",
    arguments: [
      "Host: evil.example", "Host: 127.0.0.1.evil.example", "Host: user@127.0.0.1", "Host: 127.0.0.1:80@evil.example",
      "Host: 127.0.0.1:", "Host: 127.0.0.1:80:80", "Host: [::1]:80", "Host:", "Accept: */*",
      "Host: 127.0.0.1\r\nHost: 127.0.0.1", "Host: evil.example\r\nhost: 127.0.0.1",
      "Host: 127.0.0.1\r\nOrigin: http://evil.example", "Host: 127.0.0.1\r\nOrigin: null",
      "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nOrigin: http://127.0.0.1",
      "Host: 127.0.0.1\u{e9}", "Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\u{e9}",
    ])
  func foreign(host: String) {
    #expect(verdict(head(host: host)) == Admission.Verdict(refusal: .foreign))
  }

  @Test("A page of the inspector itself is no other origin")
  func ownOrigin() {
    #expect(verdict(head("Origin: http://127.0.0.1:80")).refusal == nil)
  }

  @Test(
    "A request that two programs could read differently is refused",
    arguments: [
      "GET http://user@127.0.0.1/ HTTP/1.1", "GET user@127.0.0.1/ HTTP/1.1", "GET /a b HTTP/1.1", "GET / HTTP/1.0",
      "POST / HTTP/1.1",
      "GET / HTTP/1.1\nHost: evil.example", "GET / HTTP/1.1\rHost: evil.example",
      "GET / HTTP/1.1\r\n Host: evil.example",
      "GET / HTTP/1.1\r\nHost : evil.example", "GET / HTTP/1.1\r\nHost", "GET / HTTP/1.1\r\nContent-Length: 5",
      "GET / HTTP/1.1\r\nTransfer-Encoding: chunked", "GET /\u{e9} HTTP/1.1", "",
      "GET / HTTP/1.1\r\nX\u{e9}: a", "GET / HTTP/1.1\r\nContent-Length: \u{e9}",
    ])
  func malformed(first: String) {
    #expect(verdict(head(first: first)) == Admission.Verdict(refusal: .malformed))
  }

  @Test(
    "A cookie may have any bytes; the server is given those of ASCII",
    arguments: [[0xc3, 0xa9], [0xe9, 0xff], [0x80]])
  func cookie(bytes: [UInt8]) {
    let around = (head("Cookie: a=").dropLast(4), Array("; b=c\r\n\r\n".utf8))
    let passed = around.0 + Array(repeating: UInt8(ascii: "?"), count: bytes.count) + around.1
    #expect(verdict(around.0 + bytes + around.1) == Admission.Verdict(passed: Array(passed)))
  }

  @Test("8 kB of a head are kept, and no byte more, whether or not it ends")
  func longHead() {
    let rest = head("X: ").count
    let longest = head("X: " + String(repeating: "a", count: Admission.Limit.head - rest))
    #expect(longest.count == Admission.Limit.head)
    #expect(verdict(longest) == Admission.Verdict(passed: longest))
    #expect(verdict(head("X: " + String(repeating: "a", count: Admission.Limit.head - rest + 1))).refusal == .long)
    #expect(verdict(Array(repeating: 97, count: Admission.Limit.head - 1)) == Admission.Verdict())
    #expect(verdict(Array(repeating: 97, count: Admission.Limit.head)) == Admission.Verdict(refusal: .long))
  }

  @Test("A request that has the token admits its client, and one that has another does not")
  func authorization() {
    for (named, isAdmitted) in [(token.text, true), (String(token.text.reversed()) + "0", false)] {
      var admission = Admission(token)
      #expect(admission.receive(head("Authorization: Bearer \(named)")).refusal == nil)
      #expect(admission.isAdmitted == isAdmitted)
    }
    var twice = Admission(token)
    _ = twice.receive(head("Authorization: Bearer x", "Authorization: Bearer \(token.text)"))
    #expect(!twice.isAdmitted)
  }

  @Test("A socket is admitted by its first frame, however it is cut, and then sends anything")
  func socket() {
    let (upgrade, named) = (head("Upgrade: websocket"), frame(token.text))
    for length in 1...named.count {
      var (admission, passed) = (Admission(token), [UInt8]())
      passed += admission.receive(upgrade).passed
      for start in stride(from: 0, to: named.count, by: length) {
        #expect(!admission.isAdmitted)
        passed += admission.receive(named[start..<min(start + length, named.count)]).passed
      }
      #expect(admission.isAdmitted)
      let more = Array(repeating: UInt8(7), count: 100_000)
      #expect(admission.receive(more).passed == more)
      #expect(passed == upgrade + named)
    }
  }

  @Test("After a wrong token the server is given nothing more")
  func wrongToken() {
    var admission = Admission(token)
    let bytes = head("Upgrade: websocket") + frame("no token")
    #expect(admission.receive(bytes + frame(token.text)) == Admission.Verdict(passed: bytes))
    #expect(admission.receive(frame(token.text)) == Admission.Verdict())
    #expect(!admission.isAdmitted)
  }

  @Test("The first frame is a masked text of at most 64 bytes")
  func firstFrame() {
    let longest = frame(String(repeating: "a", count: Admission.Limit.frame))
    let long = frame(String(repeating: "a", count: Admission.Limit.frame + 1))
    let refused: [[UInt8]] = [
      long, [0x81, 0xfe, 1, 0], [0x81, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0], [0x81, 0x20], [0x01, 0xa0], [0x82, 0xa0],
      [0x89, 0x80], [0xc1, 0xa0],
    ]
    for bytes in [longest] + refused {
      var admission = Admission(token)
      _ = admission.receive(head("Upgrade: websocket"))
      let verdict = admission.receive(bytes)
      #expect(verdict == (bytes == longest ? Admission.Verdict(passed: longest) : Admission.Verdict(refusal: .noToken)))
    }
  }
}
