#if NATS
import Foundation
import RemoteTestSupport

/// An operator, an account and a user as the broker's tools make them (NKeys and JWTs), by openssl: the tools are not everywhere.
struct NKeys {
  /// For the broker's configuration.
  let settings: String
  /// The user's `.creds` file.
  let file: String

  init(_ folder: String) async throws {
    let script = """
      cd '\(folder)' && for n in o a u; do
        openssl genpkey -algorithm ed25519 -out $n.key
        openssl pkey -in $n.key -outform DER -out $n.seed
        openssl pkey -in $n.key -pubout -outform DER -out $n.pub
      done
      """
    _ = try await Self.run(script)
    func key(_ name: String, _ prefix: UInt8) throws -> String {
      Self.encode([prefix], try Self.last(32, "\(folder)/\(name).pub"))
    }
    let (o, a, u) = (try key("o", 14 << 3), try key("a", 0), try key("u", 20 << 3))
    let limits = #""subs":-1,"data":-1,"payload":-1"#
    let op = try await Self.token(folder, "o", o, o, "operator", #""version":2"#)
    let account = try await Self.token(
      folder, "o", o, a, "account",
      #""limits":{\#(limits),"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1},"version":2"#)
    let user = try await Self.token(folder, "a", a, u, "user", #""pub":{},"sub":{},\#(limits),"version":2"#)
    settings = "operator: \(op)\nresolver: MEMORY\nresolver_preload: { \(a): \(account) }"
    // The seed's prefix is that of seeds (18) and that of users (20), five bits each.
    let seed = Self.encode([(18 << 3) | (20 >> 2), (20 & 3) << 6 | 0], try Self.last(32, "\(folder)/u.seed"))
    file = folder + "/shop.creds"
    try Data(
      """
      -----BEGIN NATS USER JWT-----
      \(user)
      ------END NATS USER JWT------

      -----BEGIN USER NKEY SEED-----
      \(seed)
      ------END USER NKEY SEED------

      """.utf8
    ).write(to: URL(fileURLWithPath: file))
  }

  private static func run(_ script: String) async throws -> Int32 {
    try await ChildProcess(running: URL(fileURLWithPath: "/bin/sh"), ["-c", script], recording: .error).exit()
  }
  private static func last(_ count: Int, _ file: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file)).suffix(count)
  }

  /// A signed claim of one about another.
  private static func token(
    _ folder: String, _ signer: String, _ issuer: String, _ subject: String, _ type: String, _ claims: String
  ) async throws -> String {
    let header = url(Data(#"{"typ":"JWT","alg":"ed25519-nkey"}"#.utf8))
    let about = #""iss":"\#(issuer)","sub":"\#(subject)","name":"\#(type)""#
    let time = Int(Date().timeIntervalSince1970)
    let body = #"{"jti":"\#(UUID().uuidString)","iat":\#(time),\#(about),"nats":{"type":"\#(type)",\#(claims)}}"#
    let text = header + "." + url(Data(body.utf8))
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/text"))
    _ = try await run("cd '\(folder)' && openssl pkeyutl -sign -rawin -inkey \(signer).key -in text -out signature")
    return text + "." + url(try Data(contentsOf: URL(fileURLWithPath: folder + "/signature")))
  }
  private static func url(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Prefix, key and checksum (CRC-16 of XMODEM, low byte first) in base 32.
  private static func encode(_ prefix: [UInt8], _ key: Data) -> String {
    var bytes = prefix + key
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
    }
    bytes += [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (text, rest, bits) = ("", 0, 0)
    for byte in bytes {
      (rest, bits) = (rest << 8 | Int(byte), bits + 8)
      while bits >= 5 {
        bits -= 5
        text.append(digits[rest >> bits & 31])
      }
      rest &= (1 << bits) - 1
    }
    if bits > 0 { text.append(digits[rest << (5 - bits) & 31]) }
    return text
  }
}
#endif
