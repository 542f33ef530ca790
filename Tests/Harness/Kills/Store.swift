#if SQLite && NATS && os(Linux)
import Foundation

/// The store that the processes share, and the changes that operators and other programs make there.
protocol Store: AnyObject {
  /// The path or address, as the processes are given it.
  var place: String { get }
  /// Nil where there is no broker.
  var broker: Child? { get }
  /// Before any process is started.
  func prepare() throws
  func startBroker() throws
  func empty(_ round: Int) throws -> Disturbance
  /// Copies it, to be restored later.
  func copy() throws
  func restore(_ round: Int) throws -> Disturbance
}

/// A change of the store that may lose what was acknowledged.
struct Disturbance {
  let what: String
  var isOfMessages = true
  var isOfValues = true
  /// When the copy that was put back had been begun and was finished; before everything for a store that was emptied.
  var copied: (from: Moment, to: Moment) = (.min, .min)
  let start: Moment
  let end: Moment
  /// Whether it may lose what was begun and acknowledged at these moments.
  func mayLose(_ begin: Moment, _ acknowledged: Moment) -> Bool { acknowledged > copied.from && begin < end }
  /// Whether it loses it for certain.
  func loses(_ begin: Moment, _ acknowledged: Moment) -> Bool { begin > copied.to && acknowledged < start }
}

private func outsider(_ arguments: String..., in folder: String) throws -> String {
  let path = ProcessInfo.processInfo.environment["TIDINGS_OUTSIDER"] ?? "Tests/Harness/Kills/outsider"
  return try Child.run("/usr/bin/env", ["python3", path] + arguments, in: folder)
}

final class FileStore: Store {
  let place: String
  let broker: Child? = nil
  private let folder: String
  private var copied: (from: Moment, to: Moment) = (.min, .min)
  private var files: [String] { ["", "-wal", "-shm"].map { place + $0 } }
  init(in folder: String) { (self.folder, place) = (folder, folder + "/journal.db") }
  func prepare() {}
  func startBroker() {}

  func empty(_ round: Int) throws -> Disturbance {
    let start = now()
    if round == 0 {
      // Without its logs, which the processes that know them remove. When they were removed here, one after the other, a process
      // had made the file again in between: it was no database any more.
      unlink(place)
    } else {
      _ = try outsider("empty", place, in: folder)
    }
    return Disturbance(what: round == 0 ? "file deleted" : "all rows deleted", start: start, end: now())
  }

  func copy() throws {
    let from = now()
    unlink(place + ".copy")
    _ = try outsider("copy", place, place + ".copy", in: folder)
    copied = (from, now())
  }
  func restore(_ round: Int) throws -> Disturbance {
    let start = now()
    if round == 0 {
      // A process that looks meanwhile makes the file again.
      repeat { for file in files { unlink(file) } } while link(place + ".copy", place) != 0 && errno == EEXIST
      unlink(place + ".copy")
    } else {
      rename(place + ".copy", place)
      // No process is started until those that run have removed the logs of the file before.
      usleep(1_000_000)
    }
    return Disturbance(
      what: round == 0 ? "file restored" : "copy moved over the file", copied: copied, start: start, end: now())
  }
}

final class BrokerStore: Store {
  let place: String
  private(set) var broker: Child?
  private let folder: String
  private let port: String
  private let server: String
  private var copied: (from: Moment, to: Moment) = (.min, .min)

  init(in folder: String) throws {
    self.folder = folder
    let servers = ["/usr/sbin", "/usr/local/bin", "/usr/bin"].map { $0 + "/nats-server" }
    guard let server = servers.first(where: { access($0, X_OK) == 0 }) else {
      throw Child.NotStarted(reason: "no nats-server")
    }
    self.server = server
    port = try outsider("port", in: folder)
    place = "nats://127.0.0.1:\(port)"
  }

  func startBroker() throws {
    // It ends with this process, should that be killed.
    broker = try Child(
      "/usr/bin/setpriv",
      ["--pdeathsig", "KILL", server, "-a", "127.0.0.1", "-p", port, "-js", "-D", "-sd", folder + "/store"],
      output: folder + "/broker.log")
  }

  /// Deletes a stream and makes it again. The operator does that, and makes both at the start: nats-server 2.9 may be left with a
  /// broken stream when two connections make it simultaneously.
  private func remake(_ name: String, _ settings: String) throws {
    let stream = #"{"name":"\#(name)","num_replicas":1,"duplicate_window":120000000000,"storage":"file",\#(settings)}"#
    _ = try outsider("remake", port, name, stream, in: folder)
  }
  private func remakeOrders() throws { try remake("tidings+kills+orders", #""subjects":["kills.orders"]"#) }
  private func remakeBucket() throws {
    try remake(
      "KV_tidings",
      #""subjects":["$KV.tidings.>"],"max_msgs_per_subject":1,"discard":"new","allow_rollup_hdrs":true,"#
        + #""deny_delete":true,"allow_direct":true"#)
  }
  func prepare() throws {
    try startBroker()
    try remakeOrders()
    try remakeBucket()
  }

  func empty(_ round: Int) throws -> Disturbance {
    let start = now()
    try round == 0 ? remakeOrders() : remakeBucket()
    return Disturbance(
      what: round == 0 ? "stream deleted" : "bucket deleted", isOfMessages: round == 0, isOfValues: round == 1,
      start: start, end: now())
  }

  func copy() throws {
    let from = now()
    broker?.kill()
    try? FileManager.default.removeItem(atPath: folder + "/copy")
    try FileManager.default.copyItem(atPath: folder + "/store", toPath: folder + "/copy")
    copied = (from, now())
    try startBroker()
  }
  func restore(_ round: Int) throws -> Disturbance {
    let start = now()
    broker?.kill()
    try FileManager.default.removeItem(atPath: folder + "/store")
    try FileManager.default.moveItem(atPath: folder + "/copy", toPath: folder + "/store")
    let end = now()
    try startBroker()
    return Disturbance(what: "broker's folder restored", copied: copied, start: start, end: end)
  }
}
#endif
