#if Inspector
import FlyingFox

/// The secret without which a page or a terminal is shown nothing.
struct AccessToken: Sendable {
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in
      let byte = UInt8.random(in: 0 ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Takes as long for each wrong token of the same length.
  func matches(_ other: String) -> Bool {
    let (one, other) = (Array(text.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
  func isNamed(in request: HTTPRequest) -> Bool {
    let prefix = "Bearer "
    guard let header = request.headers[.authorization], header.hasPrefix(prefix) else { return false }
    return matches(String(header.dropFirst(prefix.count)))
  }
}
#endif
