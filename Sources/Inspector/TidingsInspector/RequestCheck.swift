#if Inspector
import FlyingFox
import Foundation

/// Rejects the requests of other sites, which a browser on this machine may have open.
enum RequestCheck {
  /// Whether the request names this machine, and comes from a page of ours or from no page. A site can let a name of its own
  /// point to 127.0.0.1, but then its name is in `Host`; and a socket that it opens has its own `Origin`.
  static func isLocal(_ request: HTTPRequest) -> Bool {
    guard let host = request.headers[.host] else { return false }
    guard ["127.0.0.1", "localhost"].contains(String(host.prefix { $0 != ":" })) else { return false }
    guard let origin = request.headers[HTTPHeader("Origin")] else { return true }
    return origin == "http://" + host
  }
  static let rejection = HTTPResponse(statusCode: .forbidden)

  static func response(_ body: Data, _ type: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [
        .contentType: type,
        HTTPHeader("Content-Security-Policy"):
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
          + "form-action 'none'; frame-ancestors 'none'",
        HTTPHeader("X-Content-Type-Options"): "nosniff", HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("Cache-Control"): "no-store", HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      ], body: body)
  }
}
#endif
