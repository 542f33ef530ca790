import Foundation
import TidingsTesting

/// Processes that handle one batch, which is ended in its midst: by one of its messages, or by kills.
public struct Suspects {
  private let program: String
  private let place: String
  private let effects: String

  public init(_ program: String, _ place: String, effects: String) {
    (self.program, self.place, self.effects) = (program, place, effects)
  }

  /// Sends the numbers from 1 on, without handling them.
  public func send(_ count: Int) async throws {
    _ = try await ChildProcess(program, "send", place, "writer", "1", "\(count)").end()
  }
  public var made: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: effects)) ?? []) }

  /// A process that handles, and ends itself at one of the messages.
  ///
  /// - Parameter count: After how many messages its handler does not return, so that a kill comes in the midst of a batch.
  public func reader(poison: Int = 0, haltingAfter count: Int = .max) throws -> ChildProcess {
    try ChildProcess(program, ["handle", place, "reader", effects, "\(poison)", "\(count)"])
  }

  /// Starts processes, at most the given number, until one is not ended by a message; then all others have been handled.
  public func handle(_ count: Int, poison: Int, starts: Int) async throws {
    for _ in 0..<starts {
      let reader = try reader(poison: poison)
      _ = await eventually {
        reader.hasExited || made.count >= count - 1 && reader.lines.values.contains { $0.hasPrefix("dead") }
      }
      if !reader.hasExited {
        _ = await reader.end()
        return
      }
    }
  }

  /// The ids of dead messages.
  public func dead() async throws -> [String] {
    let lister = try ChildProcess(program, "dead", place, "lister")
    try await lister.line(containing: "listed")
    _ = await lister.end()
    return lister.lines.values.filter { $0.hasPrefix("dead ") }
  }
}
