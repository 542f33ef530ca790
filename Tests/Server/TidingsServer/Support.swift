#if Server
import Logging
import ServiceContextModule
import Synchronization
import Tidings
import TidingsTesting

enum RequestKey: ServiceContextKey {
  typealias Value = String
}
extension ServiceContext {
  /// The request of the code that runs; "none" outside one.
  static var request: String { current?[RequestKey.self] ?? "none" }

  static func with<Result>(_ request: String, _ body: () -> Result) -> Result {
    var context = current ?? .topLevel
    context[RequestKey.self] = request
    return withValue(context, operation: body)
  }
  static func with<Result>(
    _ request: String, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result
  ) async -> Result {
    var context = current ?? .topLevel
    context[RequestKey.self] = request
    return await withValue(context, operation: body)
  }
}

/// A message as a backend of swift-log receives it, and the request in whose context it was logged.
struct LoggedMessage: Sendable {
  let level: Logger.Level
  let text: String
  let metadata: Logger.Metadata
  let request: String
}

struct RecordingLogHandler: LogHandler {
  let logged: Recorder<LoggedMessage>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  init(_ logged: Recorder<LoggedMessage>) { self.logged = logged }
  func log(event: LogEvent) {
    logged(
      LoggedMessage(
        level: event.level, text: event.message.description, metadata: event.metadata ?? [:],
        request: ServiceContext.request))
  }
}

extension Logger {
  init(_ logged: Recorder<LoggedMessage>) { self.init(label: "test") { _ in RecordingLogHandler(logged) } }
}
#endif
