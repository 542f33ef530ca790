// The expansion tests: each NAME.swift beside this file, expanded by the macros, is the text of NAME.expanded.
//
//   expansions FOLDER [--write]
//
// Built by .ci/macros with the swift-syntax of the toolchain, in seconds. --write: what is found becomes what is expected.
import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import TidingsMacrosPlugin

let macros: [String: MacroSpec] = [
  "ObservedProperties": MacroSpec(type: ObservedPropertiesMacro.self, conformances: ["TidingsMacros.ObservedModel"]),
  "ObservedAs": MacroSpec(type: ObservedAsMacro.self),
  "Derived": MacroSpec(type: DerivedMacro.self),
  "Unobserved": MacroSpec(type: UnobservedMacro.self),
]

func expanded(_ source: String) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  let new = file.expand(
    macroSpecs: macros,
    contextGenerator: {
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  let messages = context.diagnostics.map { "// refused: \($0.message)\n" }.joined()
  return messages
    + new.description.split(separator: "\n", omittingEmptySubsequences: false)
    .map { line in String(line.reversed().drop(while: \.isWhitespace).reversed()) }.joined(separator: "\n")
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let isWriting = CommandLine.arguments.contains("--write")
let inputs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "main.swift" }
  .sorted { $0.lastPathComponent < $1.lastPathComponent }
var failures = 0
for input in inputs {
  let found = expanded(try String(contentsOf: input, encoding: .utf8))
  let golden = input.deletingPathExtension().appendingPathExtension("expanded")
  if isWriting { try found.write(to: golden, atomically: true, encoding: .utf8) }
  guard found != (try? String(contentsOf: golden, encoding: .utf8)) else { continue }
  failures += 1
  print("\(input.lastPathComponent) expands to:\n\(found)")
}
print("\(inputs.count - failures) passed, \(failures) failed")
exit(failures == 0 && !inputs.isEmpty ? 0 : 1)
