#if Inspector
import FlyingFox
import FlyingSocks
import Foundation

extension Inspector {
  /// Serves the page to this machine alone, until the task is cancelled.
  ///
  /// It listens on 127.0.0.1. The address contains a random token in its fragment, which a browser does not send; the page sends
  /// it over its socket, and without it nothing is shown. Requests that name another host, or come from a page of another
  /// origin, are rejected. Clients that have not named the token are limited in number, time and bytes.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for one that is free.
  ///   - ready: Called once with the address of the page.
  /// - Throws: An error of the system, when the port is taken or no temporary folder can be written; `CancellationError` when the
  ///   task is cancelled.
  public func serve(port: UInt16 = 0, _ ready: @Sendable (_ address: String) -> Void) async throws {
    // The server limits nothing. It has a socket that only the gate's user can reach; the gate is what listens to others.
    let folder = try PrivateFolder()
    defer { folder.remove() }
    let server = HTTPServer(address: .unix(path: folder.socket), logger: .disabled)
    let token = AccessToken()
    let gate = try Gate(port: port, to: folder.socket, token)
    await addPages(to: server)
    let socket = WebSocketHTTPHandler(
      handler: MessageFrameWSHandler(handler: LiveConnection(monitor: monitor, token: token)))
    await server.appendRoute("GET /live", to: socket)
    await server.appendRoute("GET /table") { [self] request in
      guard token.isNamed(in: request) else { return HTTPResponse(statusCode: .unauthorized) }
      let text = request.query.first { $0.name == "matching" }?.value ?? ""
      let limit = request.query.first { $0.name == "limit" }.flatMap { Int($0.value) } ?? 50
      return .page(Data(table(matching: text, limit: limit).utf8), "text/plain; charset=utf-8")
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await server.run() }
      group.addTask { [monitor] in
        while true {
          monitor.sample()
          try await Task.sleep(for: LiveConnection.period)
        }
      }
      try await server.waitUntilListening()
      group.addTask { await gate.run() }
      ready("http://127.0.0.1:\(gate.port)/#\(token.text)")
      try await group.next()
      group.cancelAll()
    }
  }

  private func addPages(to server: HTTPServer) async {
    let pages = [
      ("GET /", PackageResources.page_html, "text/html; charset=utf-8"),
      ("GET /page.css", PackageResources.page_css, "text/css; charset=utf-8"),
      ("GET /page.js", PackageResources.page_js, "text/javascript; charset=utf-8"),
      ("GET /drawing.js", PackageResources.drawing_js, "text/javascript; charset=utf-8"),
    ]
    for (route, bytes, type) in pages {
      await server.appendRoute(HTTPRoute(route)) { _ in
        .page(Data(bytes), type)
      }
    }
  }
}
#endif
