#if NATS
import Foundation
import TidingsNATS
import TidingsTesting

/// A broker of the test's own: on a free port of this machine, with a folder for what it keeps. It is ended by its id.
final class Server: Sendable {
  let port: UInt16
  let folder: String
  private let configuration: String
  private let running = Recorder<Int32>()
  private let exits = Recorder<Int32>()

  /// - Parameter settings: Added to the configuration; `%` is the folder.
  init(_ settings: String = "", tls: Bool = false) throws {
    port = try Self.freePort()
    folder = "/tmp/tidings-nats-\(UInt32.random(in: 0 ... .max))"
    configuration = folder + "/nats.conf"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if tls { try Self.makeCertificates(folder) }
    let text = """
      listen: 127.0.0.1:\(port)
      pid_file: "\(folder)/pid"
      jetstream { store_dir: "\(folder)/store", max_mem: 256M, max_file: 4G }
      \(settings.replacing("%", with: folder))
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
    try start()
  }
  deinit {
    signalAll()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var url: String { "nats://127.0.0.1:\(port)" }

  func start() throws {
    try? FileManager.default.removeItem(atPath: folder + "/pid")
    let process = Process()
    let server = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"].map { $0 + "/nats-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    // Should this process be killed itself, the broker does not outlive it for long.
    let timeout = FileManager.default.isExecutableFile(atPath: "/usr/bin/timeout")
    process.executableURL = URL(fileURLWithPath: timeout ? "/usr/bin/timeout" : server ?? "/usr/sbin/nats-server")
    process.arguments =
      (timeout ? ["--signal=KILL", "900", server ?? "nats-server"] : []) + ["-c", configuration, "-l", folder + "/log"]
    process.terminationHandler = { [exits] in exits($0.terminationStatus) }
    try process.run()
    running(process.processIdentifier)
    while !isListening { usleep(2_000) }
  }

  /// `kill -9`; returns when it is gone.
  func kill() async {
    signalAll()
    _ = await exits.values(atLeast: running.values.count)
  }
  func restart() async throws {
    await kill()
    try start()
  }
  private func signalAll() {
    let text = try? String(contentsOfFile: folder + "/pid", encoding: .utf8)
    if let pid = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }), pid > 1 {
      Foundation.kill(pid, SIGKILL)
    }
    try? FileManager.default.removeItem(atPath: folder + "/pid")
  }

  private var isListening: Bool { (try? Self.withSocket(port) { connect($0, $1, $2) == 0 ? 0 : nil }) != nil }

  private static func freePort() throws -> UInt16 {
    try withSocket(0) { descriptor, address, size in
      var size = size
      guard bind(descriptor, address, size) == 0, getsockname(descriptor, address, &size) == 0 else { return nil }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  /// A socket for a port of this machine, during `body`.
  private static func withSocket(
    _ port: UInt16, _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> UInt16?
  ) throws -> UInt16 {
    #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard let result else { throw CocoaError(.featureUnsupported) }
    return result
  }

  /// `ca.pem`, `server.pem` and `server.key` for 127.0.0.1, and `other.pem` of an authority that has signed nothing.
  private static func makeCertificates(_ folder: String) throws {
    let script = """
      cd '\(folder)' && for name in ca other; do
        openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj /CN=$name
      done &&
      openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=127.0.0.1 &&
      printf 'subjectAltName=IP:127.0.0.1,DNS:localhost' > san &&
      openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile san -out server.pem
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
#endif
