import Foundation

/// `figures journal`, `figures nats`: what a transport does, beside what is asked of it.
@main
struct Figures {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let word = arguments.dropFirst(2).first
    switch arguments.dropFirst().first {
    #if SQLite
    case "journal": try await JournalFigures().run(only: word)
    case "journal-process": try await JournalProcess.run(arguments)
    #endif
    #if NATS
    case "nats": try await NATSFigures().run(only: word)
    case "nats-process": try await NATSProcess.run(arguments)
    case "raw-process": try await RawProcess.run(arguments)
    #endif
    default:
      FileHandle.standardError.write(
        Data("usage: swift run -c release --traits SQLite,NATS figures journal|nats [WORD]\n".utf8))
      exit(2)
    }
  }
}
