#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A rejection: what is wrong, and what to write instead.
struct Rejection: DiagnosticMessage, FixItMessage {
  let message: String
  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "TidingsMacros", id: message) }
  var fixItID: MessageID { diagnosticID }
}

/// A change of the source that does what the message says.
struct Remedy {
  let message: String
  let old: Syntax
  let new: Syntax

  init(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
    self.message = message
    self.old = Syntax(old)
    self.new = Syntax(new)
  }

  /// Writes an attribute in front of a declaration.
  init(attribute name: String, on declaration: VariableDeclSyntax) {
    var new = declaration
    new.leadingTrivia = []
    let attribute = AttributeListSyntax.Element(
      AttributeSyntax(
        atSign: .atSignToken(leadingTrivia: declaration.leadingTrivia),
        attributeName: IdentifierTypeSyntax(name: .identifier(name)), trailingTrivia: .space))
    new.attributes = AttributeListSyntax([attribute] + Array(new.attributes))
    self.init("write '@\(name)'", replacing: declaration, with: new)
  }

  /// Writes a placeholder for the type of a variable.
  init?(typeOf declaration: VariableDeclSyntax) {
    guard var binding = declaration.bindings.first, declaration.bindings.count == 1 else { return nil }
    let old = binding
    binding.pattern.trailingTrivia = []
    binding.typeAnnotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space),
      type: IdentifierTypeSyntax(name: .identifier("<#Type#>")),
      trailingTrivia: binding.initializer == nil ? [] : .space)
    self.init("write the type", replacing: old, with: binding)
  }

  /// Writes a placeholder for the initial value of a variable.
  init?(valueOf declaration: VariableDeclSyntax) {
    guard let old = declaration.binding else { return nil }
    var new = old
    new.trailingTrivia = []
    new.initializer = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: DeclReferenceExprSyntax(baseName: .identifier("<#value#>")), trailingTrivia: old.trailingTrivia)
    self.init("write an initial value", replacing: old, with: new)
  }
}

extension MacroExpansionContext {
  func reject(_ message: String, at node: some SyntaxProtocol, _ remedy: Remedy? = nil) {
    let fixIts = remedy.map { remedy in
      [
        FixIt(
          message: Rejection(message: remedy.message),
          changes: [.replace(oldNode: remedy.old, newNode: remedy.new)])
      ]
    }
    diagnose(Diagnostic(node: Syntax(node), message: Rejection(message: message), fixIts: fixIts ?? []))
  }
}
#endif
