#if Macros
import SwiftSyntax

/// The properties of a variable's declaration.
extension VariableDeclSyntax {
  /// The one variable that is declared; nil of `var a = 1, b = 2`.
  var binding: PatternBindingSyntax? { bindings.count == 1 ? bindings.first : nil }

  /// Its name; nil of several variables and of `var (a, b)`.
  var name: String? { binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }

  /// All the names that it declares.
  var names: [String] {
    func names(_ pattern: PatternSyntax) -> [String] {
      if let name = pattern.as(IdentifierPatternSyntax.self) { return [name.identifier.text] }
      return pattern.as(TuplePatternSyntax.self)?.elements.flatMap { names($0.pattern) } ?? []
    }
    return bindings.flatMap { names($0.pattern) }
  }

  func has(_ keyword: Keyword) -> Bool {
    modifiers.contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
  }

  /// `weak` and `unowned`, also as `unowned(safe)`.
  var isReferenceModified: Bool {
    modifiers.contains { [.keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind) }
  }
  var isVar: Bool { bindingSpecifier.tokenKind == .keyword(.var) }
  var isInstance: Bool { !has(.static) && !has(.class) }

  private func accessors(_ kinds: Keyword...) -> [AccessorDeclSyntax] {
    guard case .accessors(let list)? = binding?.accessorBlock?.accessors else { return [] }
    return list.filter { accessor in kinds.contains { accessor.accessorSpecifier.tokenKind == .keyword($0) } }
  }
  var hasObservers: Bool { !accessors(.willSet, .didSet).isEmpty }
  var isComputed: Bool { binding?.accessorBlock != nil && !hasObservers }
  var hasSetter: Bool { !accessors(.set, ._modify).isEmpty }

  /// The body of its getter, if that neither throws nor waits.
  var getter: CodeBlockItemListSyntax? {
    if case .getter(let body)? = binding?.accessorBlock?.accessors { return body }
    guard let get = accessors(.get).first, get.effectSpecifiers == nil else { return nil }
    return get.body?.statements
  }

  func attribute(_ name: String) -> AttributeSyntax? { attributes.first(named: name) }

  /// An attribute that is not known to leave the storage alone: a property wrapper, or another macro.
  var wrapper: AttributeSyntax? {
    for case .attribute(let attribute) in attributes {
      let name = attribute.shortName
      let isKnown =
        name.first?.isLowercase != false || name.first == "_" || name.hasSuffix("Actor") || name.hasPrefix("IB")
        || ["Unobserved", "ObservedAs", "Derived", "GKInspectable"].contains(name)
      if !isKnown { return attribute }
    }
    return nil
  }

  /// A stored variable of an instance, to be observed unless it says otherwise.
  var isStoredVariable: Bool {
    isVar && isInstance && !isComputed && attribute("Unobserved") == nil && attribute("Derived") == nil
  }

  /// Its access as its peers have it: the storage of an `open` variable cannot be overridden.
  var access: String { modifiers.access(forSetter: false) }

  /// The access of its setter where that is less than its own: `private(set)`.
  var setterAccess: String? {
    modifiers.contains { $0.detail?.detail.text == "set" } ? modifiers.access(forSetter: true) : nil
  }
}

extension DeclModifierListSyntax {
  func access(forSetter: Bool) -> String {
    for modifier in self where (modifier.detail != nil) == forSetter {
      switch modifier.name.tokenKind {
      case .keyword(.open), .keyword(.public): return "public "
      case .keyword(.package): return "package "
      case .keyword(.internal): return forSetter ? "internal " : ""
      case .keyword(.fileprivate): return "fileprivate "
      case .keyword(.private): return "private "
      default: continue
      }
    }
    return ""
  }
}

extension String {
  /// A name as another place may write it: without backticks.
  var unquoted: String { first == "`" ? String(dropFirst().dropLast()) : self }
}

extension AttributeSyntax {
  /// Its name without a module: `Derived` of `@TidingsMacros.Derived`.
  var shortName: String {
    attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }
}

extension AttributeListSyntax {
  func first(named name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.shortName == name { return attribute }
    return nil
  }
}
#endif
