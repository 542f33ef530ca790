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
    let pool = LastingPool(HTTPServer.defaultPool())
    let server = HTTPServer(address: .unix(path: folder.socket), pool: pool, logger: .disabled)
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
    try await run(server, in: folder, pool, behind: gate) { ready("http://127.0.0.1:\(gate.port)/#\(token.text)") }
  }

  /// Runs what serves the page, until the task is cancelled or a part of it ends.
  ///
  /// - Parameter ready: Called once the server listens.
  func run(
    _ server: HTTPServer, in folder: PrivateFolder, _ pool: LastingPool, behind gate: Gate, _ ready: () -> Void
  ) async throws {
    try await pool.base.prepare()
    try await withThrowingTaskGroup(of: Progress.self) { group in
      group.addTask {
        try await pool.base.run()
        return .ended
      }
      group.addTask {
        try await Self.run(server, in: folder)
        return .ended
      }
      group.addTask { [monitor] in
        while true {
          monitor.sample()
          try await Task.sleep(for: LiveConnection.period)
        }
      }
      // A task beside the server: one that cannot listen says why at once, while this would only report a timeout.
      group.addTask {
        try await server.waitUntilListening()
        return .listening
      }
      var first = await group.nextResult()
      if case .success(.listening) = first {
        group.addTask {
          await gate.run()
          return .ended
        }
        ready()
        first = await group.nextResult()
      }
      group.cancelAll()
      try Task.checkCancellation()
      _ = try first?.get()
    }
  }
  private enum Progress { case listening, ended }

  /// The server ends when the process has no file left for a connection that it accepts. The gate stays, and so do its port and the
  /// token: the server is started again until there is one.
  private static func run(_ server: HTTPServer, in folder: PrivateFolder) async throws {
    while true {
      do {
        return try await server.run()
      } catch SocketError.failed(_, let code, _) where code == EMFILE || code == ENFILE {
        try await Task.sleep(for: .milliseconds(100))
        folder.removeSocket()
      }
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

/// Lets a server run again with the same pool: each run of a pool takes files, and leaves one of them open.
struct LastingPool: AsyncSocketPool {
  let base: any AsyncSocketPool

  init(_ base: some AsyncSocketPool) { self.base = base }

  func prepare() async throws {}
  /// The pool itself runs beside the server.
  func run() async throws { while true { try await Task.sleep(for: .seconds(3_600)) } }
  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
#endif
