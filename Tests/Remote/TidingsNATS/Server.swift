#if NATS
import Foundation
import RemoteTestSupport
import TidingsTesting

/// A broker of the test's own: on a free port of this machine, with a folder for what it keeps. It is ended by its id.
final class Server: Sendable {
  let folder: Folder
  private let settings: String
  private let hasStreams: Bool
  private let isMember: Bool
  private let name = "server-\(UInt32.random(in: 0 ... .max))"
  private let processes = Recorder<ChildProcess>()
  private let addresses = Recorder<(clients: String, routes: String?)>()

  /// - Parameters:
  ///   - settings: Added to the configuration; `%` is the folder.
  ///   - cluster: Which cluster it belongs to, if any.
  init(_ settings: String = "", tls: Bool = false, streams: Bool = true, cluster: Cluster? = nil) async throws {
    folder = try Folder()
    hasStreams = streams
    isMember = cluster != nil
    if tls { try await Self.makeCertificates(folder.path) }
    let routes =
      switch cluster {
      case nil: ""
      // A server with streams insists on a route, though the others come to the first one: to where nothing listens.
      case .first: Self.route("127.0.0.1:1")
      case .joining(let other): Self.route(other.addresses.values[0].routes ?? "")
      }
    self.settings = settings.replacing("%", with: folder.path) + "\n" + routes
    try await start()
  }
  deinit { signal() }

  private static func route(_ address: String) -> String {
    #"cluster { name: "tidings", listen: "127.0.0.1:-1", routes: ["nats://\#(address)"] }"#
  }
  enum Cluster {
    case first
    case joining(Server)
  }

  var url: String { "nats://" + addresses.values[0].clients }

  /// Returns when it is ready. It listens where it did before; at first the system chooses.
  func start() async throws {
    let text = """
      listen: "\(addresses.values.first?.clients ?? "127.0.0.1:-1")"
      server_name: \(name)
      pid_file: "\(folder.path)/pid"
      \(hasStreams ? "jetstream { store_dir: \"\(folder.path)/store\", max_mem: 256M, max_file: 4G }" : "")
      \(settings)
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/nats.conf"))
    let server =
      ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"].map { $0 + "/nats-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/sbin/nats-server"
    // Should this process be killed itself, the broker does not outlive it for long.
    let timeout = FileManager.default.isExecutableFile(atPath: "/usr/bin/timeout")
    let process = try ChildProcess(
      running: URL(fileURLWithPath: timeout ? "/usr/bin/timeout" : server),
      (timeout ? ["--signal=KILL", "900", server] : []) + ["-c", folder.path + "/nats.conf"], recording: .error)
    processes(process)
    try await process.line(containing: "Server is ready")
    // A member of a cluster listens for the others after it has said that.
    if isMember { try await process.line(containing: "Listening for route connections on") }
    let lines = process.lines.values
    func address(_ what: String) -> String? {
      lines.first { $0.contains("Listening for \(what) connections on") }?.split(separator: " ").last.map(String.init)
    }
    addresses((address("client") ?? "", address("route")))
  }

  /// `kill -9`; returns when it has exited.
  func kill() async {
    signal()
    _ = await processes.values.last?.exit()
  }
  func restart() async throws {
    await kill()
    try await start()
  }
  private func signal() {
    let file = folder.path + "/pid"
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    if let pid = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }), pid > 1 {
      Foundation.kill(pid, SIGKILL)
    }
    try? FileManager.default.removeItem(atPath: file)
  }

  /// `ca.pem`, `server.pem` and `client.pem` with their keys for 127.0.0.1, and `other.pem` of an authority that has signed
  /// nothing.
  private static func makeCertificates(_ folder: String) async throws {
    let script = """
      cd '\(folder)' && printf 'subjectAltName=IP:127.0.0.1,DNS:localhost' > san && for name in ca other; do
        openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj /CN=$name
      done && for name in server client; do
        openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=127.0.0.1
        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile san -out $name.pem
      done
      """
    _ = try await ChildProcess(running: URL(fileURLWithPath: "/bin/sh"), ["-c", script], recording: .error).exit()
  }
}
#endif
