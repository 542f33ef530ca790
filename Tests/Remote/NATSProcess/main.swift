// The tests of NATS run this program, and kill it, as separate processes on one broker.
#if NATS
import RemoteTestSupport
import TidingsNATS

let process = RelayProcess(CommandLine.arguments)
try await process.run(
  on: NATSTransport(process.place, storage: NATSStorage(claimTimeout: .seconds(2)), timeout: .seconds(2)))
#endif
