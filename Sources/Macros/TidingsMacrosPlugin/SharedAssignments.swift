#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// Finds assignments to the properties of a class that threads share, where they have no setter: the compiler would name
/// neither the reason nor the way out.
final class SharedAssignments: SyntaxVisitor {
  private var properties: [String: StoredProperty] = [:]
  private(set) var found: [(property: StoredProperty, node: Syntax, isInitialization: Bool)] = []
  private var declared: Set<String> = []
  private var isInInitializer = false

  init(to properties: [StoredProperty], in members: [DeclSyntax]) {
    for property in properties { self.properties[property.name] = property }
    super.init(viewMode: .sourceAccurate)
    for member in members {
      declared = []
      isInInitializer = member.is(InitializerDeclSyntax.self)
      let before = found.count
      walk(member)
      // Walked again with the names that it declares, as a local variable hides a property also before its own declaration.
      found.removeSubrange(before...)
      walk(member)
    }
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    let elements = Array(node.elements.prefix(2))
    guard elements.count == 2, let property = property(elements[0]) else { return .visitChildren }
    let isPlain = elements[1].is(AssignmentExprSyntax.self)
    let text = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
    let isCompound = text.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(text)
    guard isPlain || isCompound else { return .visitChildren }
    // The first assignment of a property without an initial value makes it.
    if isInInitializer, isPlain, !property.hasInitialValue { return .visitChildren }
    found.append((property, Syntax(node), isInInitializer))
    return .visitChildren
  }

  override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
    if let property = property(node.expression) { found.append((property, Syntax(node), isInInitializer)) }
    return .visitChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    declared.insert(node.identifier.text)
    return .skipChildren
  }
  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    declared.insert((node.secondName ?? node.firstName).text)
    return .visitChildren
  }

  private func property(_ expression: ExprSyntax) -> StoredProperty? {
    if let reference = expression.as(DeclReferenceExprSyntax.self), !declared.contains(reference.baseName.text) {
      return properties[reference.baseName.text]
    }
    guard let member = expression.as(MemberAccessExprSyntax.self),
      member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    else { return nil }
    return properties[member.declName.baseName.text]
  }
}

extension Model {
  /// Rejects properties whose setter the class itself could call: the compiler demands one of `private(set)`, and it cannot be
  /// unavailable where it assigns the first value. `items.append(1)` would use it, and lose what another thread writes.
  func rejectSetters(in context: some MacroExpansionContext) {
    guard type.isShared else { return }
    for property in observed where !property.hasInitialValue {
      guard let setter = property.declaration.modifiers.first(where: { $0.detail != nil }) else { continue }
      let modifier = setter.trimmedDescription
      context.reject(
        "'\(property.name)' would have a setter, and threads share it: give it an initial value and write "
          + "'\(property.storage).set(…)' in 'init', or remove '\(modifier)'",
        at: property.declaration, Remedy(valueOf: property.declaration))
    }
  }

  /// Rejects assignments in a shared class, with what to write instead.
  func rejectAssignments(in context: some MacroExpansionContext) {
    guard type.isShared else { return }
    let code = others + computed.map { DeclSyntax($0) }
    for (property, node, isInitialization) in SharedAssignments(to: observed, in: code).found {
      context.reject(
        isInitialization
          ? "'\(property.name)' has a value already, and no setter, as threads share it: write "
            + "'\(property.storage).set(…)', or declare it without an initial value"
          : "'\(property.name)' has no setter, as \(Self.sharedAssignment(property))", at: node)
    }
  }

  /// Why a property has no setter that can be called.
  static func sharedAssignment(_ property: StoredProperty) -> String {
    "threads share it, and an assignment may lose what another thread writes: "
      + "write '\(property.storage).update { … }' or '\(property.storage).set(…)'"
  }
}
#endif
