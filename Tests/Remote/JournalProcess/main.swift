// The journal's tests run this program, and kill it, as separate processes on one file.
#if SQLite
import RemoteTestSupport
import TidingsJournal

let process = RelayProcess(CommandLine.arguments)
try await process.run(on: Journal(process.place))
#endif
