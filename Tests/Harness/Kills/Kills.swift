#if SQLite && NATS && os(Linux)
import Foundation

/// Processes that share a journal or a broker, and are killed: `kills journal`, `kills nats`.
///
/// Each process is this program again, with its part in the environment.
@main
struct Kills {
  static func main() async throws {
    let environment = ProcessInfo.processInfo.environment
    let part = (environment["TIDINGS_PART"] ?? "").split(separator: " ").map(String.init)
    if part.count == 4, let kind = Role.Kind(rawValue: part[0]) {
      return try await Role(kind, part[1], Log("\(part[3])/\(part[1]).log")).run(at: part[2])
    }
    let verb = CommandLine.arguments.dropFirst().first ?? ""
    guard ["journal", "nats"].contains(verb) else {
      print("usage: kills journal|nats, with TIDINGS_MINUTES and TIDINGS_SEED")
      exit(2)
    }
    let minutes = environment["TIDINGS_MINUTES"].flatMap { Double($0) } ?? 1
    let seed = environment["TIDINGS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)
    say("\(verb): TIDINGS_SEED=\(seed) TIDINGS_MINUTES=\(minutes)")
    // In memory: a disk that other programs keep busy would slow everything down, and no kill of a process needs one.
    let folder = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/tidings-kills-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store: any Store = if verb == "nats" { try BrokerStore(in: folder) } else { FileStore(in: folder) }
    let isSound = try Harness(store, in: folder, minutes: minutes, seed: seed).run()
    if isSound {
      try FileManager.default.removeItem(atPath: folder)
    } else {
      say("the logs of all processes are in \(folder)")
    }
    exit(isSound ? 0 : 1)
  }
}

/// Prints a line that is seen immediately, also in a file.
func say(_ line: String) {
  print(line)
  fflush(nil)
}
#else
@main
struct Kills { static func main() { print("kills needs Linux and the traits SQLite and NATS") } }
#endif
