import FlyingFox
import Foundation
import PortfolioModels
import Tidings
import TidingsCollections
import TidingsState
import TidingsTime

/// Serves the page to this machine alone.
struct PageServer: WSMessageHandler {
  let portfolio: Portfolio

  func run(port: UInt16) async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    for (route, type, bytes) in [
      ("GET /", "html", PackageResources.page_html), ("GET /page.css", "css", PackageResources.page_css),
      ("GET /page.js", "javascript", PackageResources.page_js),
    ] {
      await server.appendRoute(HTTPRoute(route)) { (_: HTTPRequest) in
        HTTPResponse(statusCode: .ok, headers: [.contentType: "text/\(type); charset=utf-8"], body: Data(bytes))
      }
    }
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await server.run() }
      // Beside it: if the server cannot listen, its error ends both at once.
      group.addTask { try await announce(server) }
    }
  }

  /// Prints the address when the server listens, and serves pages of that origin alone.
  private func announce(_ server: HTTPServer) async throws {
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else { return }
    let origin = "http://127.0.0.1:\(port)"
    let socket = WebSocketHTTPHandler(handler: MessageFrameWSHandler(handler: self))
    await server.appendRoute("GET /live") { request in
      // A page of another site, open in the same browser, must neither read nor change the portfolio.
      if request.headers[HTTPHeader("Origin")] != origin { return HTTPResponse(statusCode: .forbidden) }
      return try await socket.handleRequest(request)
    }
    FileHandle.standardOutput.write(Data("\(origin)/\n".utf8))
  }

  /// Gives a page its screen, which ends with the connection.
  func makeMessages(for page: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let (messages, sending) = AsyncStream.makeStream(of: WSMessage.self)
    @Sendable func send(_ message: some Encodable & Sendable) {
      if let json = try? JSONEncoder().encode(message) { sending.yield(.text(String(decoding: json, as: UTF8.self))) }
    }
    Task { @MainActor in
      let (screen, scope, interval) = (Screen(portfolio), Scope(), Duration.milliseconds(100))
      scope.task { [rows = portfolio.rows] in
        for await difference in rows.differences.stream(.initial) {
          send(["splices": difference.splices])
          // All edits in this time are one difference.
          try? await Task.sleep(for: interval)
        }
      }
      let news = screen.status.changes(.initial).throttled(for: interval)
      news.observe { change in send(["status": change.new]) }.store(in: scope)
      for await case .text(let json) in page {
        if let action = try? JSONDecoder().decode(Screen.Action.self, from: Data(json.utf8)) { screen.perform(action) }
      }
      await scope.finish()
    }
    return messages
  }
}

/// An edit of the rows, as a call of JavaScript's `splice`.
private struct Splice: Encodable {
  let at, count: Int
  var rows: [Row] = []
}

extension ArrayDifference<Row> {
  fileprivate var splices: [Splice] {
    if isReset { return [Splice(at: 0, count: .max, rows: elements)] }
    return edits.flatMap { edit in
      switch edit {
      case .insert(let row, at: let index): [Splice(at: index, count: 0, rows: [row])]
      case .remove(_, at: let index): [Splice(at: index, count: 1)]
      case .replace(_, with: let row, at: let index): [Splice(at: index, count: 1, rows: [row])]
      case .move(let row, let from, let to): [Splice(at: from, count: 1), Splice(at: to, count: 0, rows: [row])]
      }
    }
  }
}
