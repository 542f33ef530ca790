#if Macros
import SwiftSyntax

/// Finds what the body of a computed property reads, by the names in the body.
final class BodyReads: SyntaxVisitor {
  /// Names that may be members of the object: `price`, `self.price`, `$price`.
  private(set) var names: Set<String> = []
  /// Those that are written without `self.` or `$`, and so need a local of that name.
  private(set) var bare: Set<String> = []
  /// Those that are written with `$`, without it.
  private(set) var projections: Set<String> = []
  /// Those that are written with `self.`.
  private(set) var qualified: Set<String> = []
  /// The first read of each name, in the order of the text, without the names that the body declares itself.
  private(set) var nodes: [(name: String, node: Syntax)] = []
  /// A use of `self` other than for one of its members, or of `super`.
  private(set) var wholeSelf: Syntax?

  private let body: CodeBlockItemListSyntax
  /// Names that the body declares itself, and that perhaps hide a member.
  private(set) var declared: Set<String> = []
  /// Reads through `self.` and `$`, with the name, to be written again.
  private var rewritten: [(node: Syntax, name: String, isProjection: Bool)] = []

  init(_ body: CodeBlockItemListSyntax) {
    self.body = body
    super.init(viewMode: .sourceAccurate)
    walk(body)
    nodes.removeAll { declared.contains($0.name) && bare.contains($0.name) }
  }

  /// The name under which the closure captures a property.
  static func source(_ name: String) -> String { "_source_\(name)" }
  /// The local that is read for `self.view`, if the type of `view` is implicitly unwrapped.
  static func unwrapped(_ name: String) -> String { "_unwrapped_\(name)" }

  /// The body, with `self.price` and `$price` as what is captured.
  ///
  /// - Parameters:
  ///   - properties: The names that are captured as sources; other members of `self` are constants, captured as values.
  ///   - unwrapped: Those whose type is implicitly unwrapped, which a local has and its source does not.
  func text(_ properties: Set<String>, unwrapped: Set<String>) -> String {
    let start = body.positionAfterSkippingLeadingTrivia.utf8Offset
    var bytes = Array(body.description.utf8.dropFirst(start - body.position.utf8Offset))
    for (node, name, isProjection) in rewritten.sorted(by: { $0.node.position > $1.node.position }) {
      let from = node.positionAfterSkippingLeadingTrivia.utf8Offset - start
      let to = node.endPositionBeforeTrailingTrivia.utf8Offset - start
      let isUnwrapped = !isProjection && unwrapped.contains(name)
      let new =
        isUnwrapped
        ? Self.unwrapped(name) : Self.source(name) + (!isProjection && properties.contains(name) ? ".value" : "")
      bytes.replaceSubrange(from..<to, with: new.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func read(_ name: String, at node: some SyntaxProtocol) {
    if names.insert(name).inserted { nodes.append((name, Syntax(node))) }
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.baseName.text.unquoted
    // The member of something else.
    if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id { return .skipChildren }
    if node.parent?.is(KeyPathPropertyComponentSyntax.self) == true { return .skipChildren }
    if node.baseName.tokenKind == .keyword(.self) {
      wholeSelf = wholeSelf ?? Syntax(node)
    } else if text.first == "$" {
      let name = String(text.dropFirst())
      // `$0` is a closure's.
      guard name.first?.isNumber == false else { return .skipChildren }
      read(name, at: node)
      projections.insert(name)
      rewritten.append((Syntax(node), name, true))
    } else {
      read(text, at: node)
      bare.insert(text)
    }
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard let base = node.base?.as(DeclReferenceExprSyntax.self), base.baseName.tokenKind == .keyword(.self) else {
      return .visitChildren
    }
    let text = node.declName.baseName.text.unquoted
    let isProjection = text.first == "$"
    let name = isProjection ? String(text.dropFirst()) : text
    read(name, at: node)
    if isProjection { projections.insert(name) } else { qualified.insert(name) }
    rewritten.append((Syntax(node), name, isProjection))
    return .skipChildren
  }

  override func visit(_ node: SuperExprSyntax) -> SyntaxVisitorContinueKind {
    wholeSelf = wholeSelf ?? Syntax(node)
    return .skipChildren
  }

  /// `if let number` reads `number`, and declares another.
  override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    if node.initializer == nil, let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.unquoted {
      read(name, at: node)
      bare.insert(name)
      return .skipChildren
    }
    return .visitChildren
  }

  /// `{ [price] in … }` reads `price`. By its tokens: versions of swift-syntax differ in what it is made of.
  override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
    let words = node.tokens(viewMode: .sourceAccurate).map(\.text.unquoted).filter { $0 != "," }
    guard !words.contains("="), let name = words.last else { return .visitChildren }
    if name == "self" {
      wholeSelf = wholeSelf ?? Syntax(node)
    } else {
      read(name, at: node)
      bare.insert(name)
    }
    return .skipChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    declared.insert(node.identifier.text.unquoted)
    return .skipChildren
  }
  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    declared.insert(node.name.text.unquoted)
    return .skipChildren
  }
  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    declared.insert((node.secondName ?? node.firstName).text.unquoted)
    return .visitChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    declared.insert(node.name.text.unquoted)
    return .visitChildren
  }
  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    declared.insert((node.secondName ?? node.firstName).text.unquoted)
    return .visitChildren
  }
}
#endif
