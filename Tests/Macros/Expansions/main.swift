// The expansion tests: each NAME.swift of the first folder, expanded by the macros, is the text of NAME.expanded. Each NAME.swift
// of the second, which is rejected, is the text of NAME.fixed when what its messages offer has been done.
//
//   expansions EXPANSIONS DIAGNOSTICS [--write]
//
// Built by .ci/macros with the swift-syntax of the toolchain, in seconds. --write: what is found becomes what is expected.
import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import TidingsMacrosPlugin

let macros: [String: MacroSpec] = [
  "ObservedProperties": MacroSpec(type: ObservedPropertiesMacro.self, conformances: ["TidingsMacros.ObservedModel"]),
  "ObservedAs": MacroSpec(type: ObservedAsMacro.self),
  "Derived": MacroSpec(type: DerivedMacro.self),
  "Unobserved": MacroSpec(type: UnobservedMacro.self),
]

/// A file after its expansion, the rejections, and what those offer.
func expansion(of file: SourceFileSyntax) -> (text: String, rejections: [Diagnostic], edits: [SourceEdit]) {
  // A file that begins with "// path: " is expanded as if it had that path.
  let (marker, first) = ("// path: ", file.description.prefix { $0 != "\n" })
  let path = first.hasPrefix(marker) ? String(first.dropFirst(marker.count)) : "test.swift"
  let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: path)])
  let new = file.expand(
    macroSpecs: macros,
    contextGenerator: {
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
    },
    indentationWidth: .spaces(2))
  let converter = SourceLocationConverter(fileName: "test.swift", tree: file)
  // A macro is given a copy of the declaration, whose positions begin where the copy does.
  let edits = context.diagnostics.flatMap { rejection -> [SourceEdit] in
    let node = rejection.node
    guard let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath),
      let line = Int(place.line.trimmedDescription), let column = Int(place.column.trimmedDescription)
    else { return [] }
    let shift =
      converter.position(ofLine: line, column: column).utf8Offset - node.positionAfterSkippingLeadingTrivia.utf8Offset
    return rejection.fixIts.flatMap(\.edits).map { edit in
      let (from, to) = (edit.range.lowerBound.advanced(by: shift), edit.range.upperBound.advanced(by: shift))
      return SourceEdit(range: from..<to, replacement: edit.replacement)
    }
  }
  return (new.description, context.diagnostics, edits)
}

/// The whole text of a file after its expansion.
func expanded(_ file: SourceFileSyntax) -> String {
  let (text, rejections, _) = expansion(of: file)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    String(line.reversed().drop(while: \.isWhitespace).reversed())
  }
  return rejections.map { "// rejected: \($0.message)\n" }.joined() + lines.joined(separator: "\n")
}

/// A file after all that its rejections offer; nil if they offer nothing.
func fixed(_ file: SourceFileSyntax) -> String? {
  let edits = expansion(of: file).edits
  if edits.isEmpty { return nil }
  var bytes = Array(file.description.utf8)
  for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
    bytes.replaceSubrange(
      edit.range.lowerBound.utf8Offset..<edit.range.upperBound.utf8Offset, with: edit.replacement.utf8)
  }
  return String(decoding: bytes, as: UTF8.self)
}

let isWriting = CommandLine.arguments.contains("--write")
var (passed, failed) = (0, 0)

/// Compares what `find` makes of each file of a folder with the text beside it.
@MainActor func check(_ folder: String, _ kind: String, _ find: (SourceFileSyntax) -> String?) throws {
  let inputs = try FileManager.default.contentsOfDirectory(
    at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil)
  for input in inputs.sorted(by: { $0.path < $1.path })
  where input.pathExtension == "swift" && input.lastPathComponent != "main.swift" {
    let found = find(Parser.parse(source: try String(contentsOf: input, encoding: .utf8)))
    let golden = input.deletingPathExtension().appendingPathExtension(kind)
    if isWriting { try found?.write(to: golden, atomically: true, encoding: .utf8) }
    if found == (try? String(contentsOf: golden, encoding: .utf8)) {
      passed += 1
    } else {
      failed += 1
      print("\(input.lastPathComponent), \(kind):\n\(found ?? "nothing")")
    }
  }
}

try check(CommandLine.arguments[1], "expanded", expanded)
try check(CommandLine.arguments[2], "fixed", fixed)
print("\(passed) passed, \(failed) failed")
exit(failed == 0 && passed > 0 ? 0 : 1)
