#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Generated code that stands at a line of the source: the compiler reports a mistake there, and not in an expansion.
///
/// A directive holds until the next one, so generated code of several lines has one in front of each line that can have a mistake.
extension MacroExpansionContext {
  /// Returns the directive in front of a line of code that is made from `node`; empty where the compiler knows no line.
  ///
  /// It is empty too where the compiler would refuse it: no line is before the first, and the path of a directive cannot be a raw
  /// string, as which swift-syntax writes a path with a quotation mark or a backslash. Mistakes are then reported in the expansion.
  func directive(for node: some SyntaxProtocol, linesBefore: Int = 0) -> String {
    guard let place = location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath),
      let line = Int(place.line.trimmedDescription), line > linesBefore
    else { return "" }
    let file = place.file.trimmedDescription
    return file.hasPrefix("#") ? "" : "#sourceLocation(file: \(file), line: \(line - linesBefore))\n"
  }

  /// Returns lines of code, the first of which stands at the line of `node`.
  func placed(_ code: String, at node: some SyntaxProtocol) -> String {
    let directive = directive(for: node)
    return directive.isEmpty ? code : directive + code + "\n#sourceLocation()"
  }

  /// Returns declarations that begin at the line of `node`. The compiler writes an empty line in front of each.
  func placed(_ declarations: [DeclSyntax], at node: some SyntaxProtocol) -> [DeclSyntax] {
    let directive = directive(for: node, linesBefore: 1)
    if directive.isEmpty { return declarations }
    return declarations.flatMap { ["\(raw: directive)", $0, "#sourceLocation()"] as [DeclSyntax] }
  }
}
#endif
