#if Inspector
/// The request line and the headers of a request that the inspector answers: a `GET` without a body.
///
/// It is stricter than the server behind the gate, so that both read the same: lines end with CR and LF, a name has no space, and
/// no line goes on in the next.
struct RequestHead {
  private let headers: [(name: String, value: String)]

  /// Nil if it is not the head of such a request.
  ///
  /// - Parameter bytes: The lines, without the empty one at their end.
  init?(_ bytes: some Collection<UInt8>) {
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), lines.allSatisfy({ $0.utf8.allSatisfy { $0 == 9 || (32..<127).contains($0) } })
    else { return nil }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    // A path, so that no `http://user@host/` names a host beside the header.
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/"), words[2] == "HTTP/1.1",
      words[1].utf8.allSatisfy({ (33..<127).contains($0) })
    else { return nil }
    headers = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
      else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return (line[..<colon].lowercased(), String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed()))
    }
    guard headers.count == lines.count, values(of: "transfer-encoding").isEmpty,
      values(of: "content-length").allSatisfy({ $0 == "0" })
    else { return nil }
  }

  private func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

  /// Whether the request names this machine, and comes from a page of ours or from no page. A site can let a name of its own
  /// point to 127.0.0.1, but then its name is in `Host`; and a socket that it opens has its own `Origin`.
  var isLocal: Bool {
    let (hosts, origins) = (values(of: "host"), values(of: "origin"))
    guard hosts.count == 1, let host = hosts.first, origins.count <= 1 else { return false }
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard ["127.0.0.1", "localhost"].contains(parts[0]), parts.count == 1 || parts.count == 2 && UInt16(parts[1]) != nil
    else { return false }
    return origins.allSatisfy { $0 == "http://" + host }
  }

  /// Whether another protocol follows: frames of a socket.
  var asksForSocket: Bool { !values(of: "upgrade").isEmpty }

  /// Whether the request has the token itself, as that of a terminal has.
  func names(_ token: AccessToken) -> Bool {
    let (prefix, named) = ("Bearer ", values(of: "authorization"))
    guard named.count == 1, named[0].hasPrefix(prefix) else { return false }
    return token.matches(String(named[0].dropFirst(prefix.count)))
  }
}
#endif
