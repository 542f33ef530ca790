#if SQLite && NATS && os(Linux)
import Foundation

/// A process of the harness's own. It is ended by the end of its input, or killed by its id.
final class Child {
  struct NotStarted: Error { let reason: String }
  let identifier: pid_t
  /// Its exit status, 128 and more for a signal; nil while it runs.
  private(set) var status: Int32?
  private var input: Int32

  /// - Parameters:
  ///   - output: The file to which standard output and standard error are added.
  ///   - environment: Variables beside those of this process.
  init(_ program: String, _ arguments: [String], output: String, environment: [String: String] = [:]) throws {
    // No pipe, whose writer gets a signal when the process has been killed.
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw NotStarted(reason: "no socket") }
    // No other child holds it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for word in words + variables { free(word) }
      posix_spawn_file_actions_destroy(&actions)
      _ = close(ends[1])
    }
    var identifier: pid_t = 0
    let failure = posix_spawn(&identifier, program, &actions, nil, words, variables)
    guard failure == 0 else {
      _ = close(ends[0])
      throw NotStarted(reason: "\(program): \(String(cString: strerror(failure)))")
    }
    (self.identifier, input) = (identifier, ends[0])
  }
  deinit { if !hasExited { kill() } }

  var hasExited: Bool {
    if status == nil { wait(WNOHANG) }
    return status != nil
  }
  private func wait(_ options: Int32) {
    var code: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(identifier, &code, options) } while found < 0 && errno == EINTR
    if found == identifier { status = code & 0x7F == 0 ? code >> 8 & 0xFF : 128 + code & 0x7F }
  }

  func quiet() { _ = send(input, "quiet\n", 6, Int32(MSG_NOSIGNAL)) }
  func end() {
    if input >= 0 { _ = close(input) }
    input = -1
  }
  /// `kill -9`; returns when it has exited.
  func kill() {
    guard !hasExited else { return }
    _ = Foundation.kill(identifier, SIGKILL)
    wait(0)
    end()
  }

  /// Runs a program to its end.
  ///
  /// - Returns: Its output.
  /// - Throws: `NotStarted`, also if it fails.
  @discardableResult
  static func run(_ program: String, _ arguments: [String], in folder: String) throws -> String {
    let output = "\(folder)/output-\(now())"
    let child = try Child(program, arguments, output: output)
    child.wait(0)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    guard child.status == 0 else { throw NotStarted(reason: "\(arguments): \(text)") }
    try FileManager.default.removeItem(atPath: output)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
#endif
