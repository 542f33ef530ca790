// Products that need a trait, used without it. `.ci/mistakes` compiles this file and compares: the line after a comment must be
// reported with the text of the comment. The file belongs to no target.
import TidingsInspector
import TidingsJournal
import TidingsNATS
import TidingsServer
import TidingsService

// 'Journal' is unavailable: TidingsJournal needs the trait SQLite: .package(…, traits: ["SQLite"])
let journal = Journal("market.journal")
// 'NATSTransport' is unavailable: TidingsNATS needs the trait NATS: .package(…, traits: ["NATS"])
let transport = NATSTransport("nats://127.0.0.1")
// 'RelayService' is unavailable: TidingsService needs the trait Service: .package(…, traits: ["Service"])
let service = RelayService(0)
// 'Inspector' is unavailable: TidingsInspector needs the trait Inspector: .package(…, traits: ["Inspector"])
let inspector = Inspector()
// 'TidingsExporter' is unavailable: TidingsServer needs the trait Server: .package(…, traits: ["Server"])
let exporter = TidingsExporter(logger: 0)
// 'carryServiceContext()' is unavailable: TidingsServer needs the trait Server: .package(…, traits: ["Server"])
carryServiceContext()
