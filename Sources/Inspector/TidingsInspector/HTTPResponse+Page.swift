#if Inspector
import FlyingFox
import Foundation

extension HTTPResponse {
  /// A part of the page, which a browser shows alone, runs no code of others in, and does not keep.
  static func page(_ body: Data, _ type: String) -> HTTPResponse {
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
