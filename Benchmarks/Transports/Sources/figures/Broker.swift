#if NATS
import Foundation

/// A broker for the figures: on a free port of this machine, ended by its id.
final class Broker {
  let url: String
  private let folder = "/tmp/tidings-figures-nats-\(UInt32.random(in: 0 ... .max))"
  private let process = Process()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let server = ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"].map { $0 + "/nats-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    process.executableURL = URL(fileURLWithPath: server ?? "/usr/sbin/nats-server")
    // It chooses its port, and writes it into a file when it listens there.
    process.arguments = [
      "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", folder, "-js", "-sd", folder, "-l", folder + "/log",
    ]
    try process.run()
    struct Ports: Decodable { let nats: [String] }
    var ports: Ports?
    while ports == nil {
      usleep(5_000)
      let file = "\(folder)/nats-server_\(process.processIdentifier).ports"
      ports = FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode(Ports.self, from: $0) }
    }
    url = ports?.nats.first ?? ""
  }
  /// The program ends by `exit`, which deinitializes nothing.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
#endif
