#if Macros
import SwiftSyntax

/// A variable that is observed: what its storage is called and what type it has, as far as the source says.
struct StoredProperty {
  let declaration: VariableDeclSyntax
  let name: String
  let binding: PatternBindingSyntax

  /// Nil if it is not one variable with a name.
  init?(_ declaration: VariableDeclSyntax) {
    guard let binding = declaration.binding, let name = declaration.name else { return nil }
    (self.declaration, self.name, self.binding) = (declaration, name, binding)
  }

  /// The kind of property that `$quantity` is.
  enum Face {
    /// The stored `Observed` itself.
    case storage
    /// Computed, from an `Observed` whose initial value perhaps only the type's actor may compute. Such a constant belongs to
    /// that actor; key paths through it are not `Sendable`, those through a computed property are.
    case observed
    /// Computed: what others see of a property that they cannot set.
    case readOnly
  }
  var face: Face {
    if declaration.setterAccess != nil { return .readOnly }
    return hasPlainInitialValue || type == nil ? .storage : .observed
  }

  /// The name of the stored `Observed`.
  var storage: String { face == .storage ? "$\(name)" : "_\(name)" }

  var initialValue: ExprSyntax? { binding.initializer?.value }

  /// The arguments with which its `Observed` is made, without the value.
  ///
  /// - Parameter attribute: Its `@ObservedAs`, if it has one.
  func arguments(of type: EnclosingType, _ attribute: AttributeSyntax?) -> String {
    let label = "label: \"\(type.name).\(name)\""
    guard let policy = attribute?.changePolicy, policy != "every" else { return label }
    return label + ", changes: .\(policy)"
  }

  /// Whether `init` need not assign it.
  var hasInitialValue: Bool {
    guard initialValue == nil else { return true }
    return binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true || isUnwrapped
  }

  /// Whether its initial value is a literal or is missing, so that any isolation may compute it.
  var hasPlainInitialValue: Bool {
    switch initialValue?.as(ExprSyntaxEnum.self) {
    case nil, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: true
    case .stringLiteralExpr(let text): text.segments.count == 1
    case .arrayExpr(let array): array.elements.isEmpty
    case .dictionaryExpr(let dictionary): dictionary.content.is(TokenSyntax.self)
    default: initialValue.flatMap(Self.type(ofLiteral:)) != nil
    }
  }

  /// The type of its value, as written or as a literal has it.
  var type: String? {
    guard let type = binding.typeAnnotation?.type else { return initialValue.flatMap(Self.type(ofLiteral:)) }
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(unwrapped.wrappedType.trimmedDescription)?"
    }
    return type.trimmedDescription
  }

  /// Whether it is declared as `View!`, and so read without `?`.
  var isUnwrapped: Bool { binding.typeAnnotation?.type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true }

  /// The type of a variable that is read as this one.
  var writtenType: String? { isUnwrapped ? binding.typeAnnotation?.type.trimmedDescription : type }

  /// A macro sees no types. Of a literal, of `[String]()` and of `Set<Int>()` the source says it.
  private static func type(ofLiteral value: ExprSyntax) -> String? {
    switch value.as(ExprSyntaxEnum.self) {
    case .integerLiteralExpr: return "Int"
    case .floatLiteralExpr: return "Double"
    case .booleanLiteralExpr: return "Bool"
    case .stringLiteralExpr: return "String"
    case .prefixOperatorExpr(let negative) where negative.operator.text == "-":
      return type(ofLiteral: negative.expression).flatMap { ["Int", "Double"].contains($0) ? $0 : nil }
    case .functionCallExpr(let call):
      switch call.calledExpression.as(ExprSyntaxEnum.self) {
      case .arrayExpr(let array) where array.elements.count == 1:
        return array.trimmedDescription
      case .dictionaryExpr(let dictionary): return dictionary.trimmedDescription
      case .genericSpecializationExpr(let generic): return generic.trimmedDescription
      default: return nil
      }
    default: return nil
    }
  }
}

extension AttributeSyntax {
  /// The name of the `PropertyChangePolicy` that is its only argument.
  var changePolicy: String? {
    guard case .argumentList(let list)? = arguments else { return nil }
    return list.first?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  }
}
#endif
