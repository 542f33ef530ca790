import Foundation
import Hummingbird

/// The files of the page, which are resources of this program.
struct PageFiles {
  private static let types = ["html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript"]

  func add(to router: Router<some RequestContext>) throws {
    for (path, name) in [("/", "index.html"), ("market.css", "market.css"), ("market.js", "market.js")] {
      let file = Bundle.module.bundleURL.appending(path: "Page/\(name)")
      let body = ByteBuffer(bytes: try Data(contentsOf: file))
      let headers: HTTPFields = [
        .contentType: Self.types[file.pathExtension] ?? "application/octet-stream",
        // Nothing comes from elsewhere.
        .contentSecurityPolicy:
          "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src data:",
        .cacheControl: "no-store",
      ]
      router.get(RouterPath(path)) { _, _ in
        Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
      }
    }
  }
}
