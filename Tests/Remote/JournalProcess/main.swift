// What the journal's tests run, and kill, as processes of their own on one file.
#if SQLite
import RemoteTestSupport
import TidingsJournal

let process = RelayProcess(CommandLine.arguments)
try await process.run(on: Journal(process.place))
#endif
