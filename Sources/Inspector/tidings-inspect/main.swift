// The inspector's table in a terminal: `tidings-inspect ADDRESS [text] [--once]`, where the address is `http://127.0.0.1:36065/#1cc6…`,
// `@FILE`, whose first line it is, or `-`, the first line of standard input. Other users of a machine see the arguments of a program.
#if Inspector
import FlyingFox
import FlyingSocks
import Foundation

let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--once" }
let isOnce = CommandLine.arguments.contains("--once")
func address(_ argument: String) -> String? {
  if argument == "-" { return readLine() }
  guard argument.hasPrefix("@") else { return argument }
  let text = try? String(contentsOfFile: String(argument.dropFirst()), encoding: .utf8)
  return text?.split(whereSeparator: \.isNewline).first.map(String.init)
}
guard let address = arguments.first.flatMap(address), let url = URL(string: address), let port = url.port,
  let token = url.fragment
else {
  print("usage: tidings-inspect ADDRESS [TEXT] [--once]")
  print("ADDRESS is 'http://127.0.0.1:PORT/#TOKEN', or @FILE or - for the first line of a file or of standard input")
  exit(2)
}
let matching = arguments.dropFirst().first ?? ""
let request = HTTPRequest(
  method: .GET, version: .http11, path: "/table",
  query: [.init(name: "matching", value: matching), .init(name: "limit", value: "40")],
  headers: [.host: "127.0.0.1:\(port)", .authorization: "Bearer " + token], body: Data())

func show(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

while true {
  do {
    var client = HTTPClient()
    let response = try await client.sendHTTPRequest(request, to: try .inet(ip4: "127.0.0.1", port: UInt16(port)))
    guard response.statusCode == .ok else {
      let isWrong = response.statusCode == .unauthorized
      show("rejected: " + (isWrong ? "the token is wrong" : "status \(response.statusCode.code)") + "\n")
      exit(1)
    }
    let table = String(decoding: try await response.bodyData, as: UTF8.self)
    // Home, and each line cleared to its end, so that nothing flickers.
    show(isOnce ? table + "\n" : "\u{1b}[H" + table.replacing("\n", with: "\u{1b}[K\n") + "\u{1b}[K\n\u{1b}[J")
  } catch {
    show("the program has ended, or does not serve an inspector there\n")
    exit(1)
  }
  if isOnce { break }
  try await Task.sleep(for: .milliseconds(500))
}
#else
print("tidings-inspect is built with the trait: swift run --traits Inspector tidings-inspect URL")
#endif
