#if Macros
import SwiftSyntax

/// The class or actor around a property, as far as its own declaration says.
struct EnclosingType {
  let name: String
  let isActor: Bool
  let isFinal: Bool
  let modifiers: DeclModifierListSyntax
  private let attributes: AttributeListSyntax
  private let inherited: [String]

  /// Nil of a structure, an enumeration and an extension.
  init?(_ syntax: some SyntaxProtocol) {
    let inheritance: InheritanceClauseSyntax?
    if let type = syntax.as(ClassDeclSyntax.self) {
      (name, modifiers, attributes, inheritance) = (
        type.name.text, type.modifiers, type.attributes, type.inheritanceClause
      )
      isActor = false
      isFinal = modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    } else if let type = syntax.as(ActorDeclSyntax.self) {
      (name, modifiers, attributes, inheritance) = (
        type.name.text, type.modifiers, type.attributes, type.inheritanceClause
      )
      (isActor, isFinal) = (true, true)
    } else {
      return nil
    }
    inherited =
      inheritance?.inheritedTypes.flatMap { inherited in
        inherited.type.trimmedDescription.split(separator: "&").map { part in
          // Without attributes in front, and without the name of a module.
          String(part.split(separator: " ").last?.split(separator: ".").last ?? "")
        }
      } ?? []
  }

  func lists(_ name: String) -> Bool { inherited.contains(name) }

  /// Whether its properties are observed; `@ObservedAs` and `@Derived` mean nothing elsewhere.
  var isModel: Bool { attributes.first(named: "ObservedProperties") != nil }

  /// `@Observable` beside the macro, which makes the same properties something else.
  var observableMacro: AttributeSyntax? { attributes.first(named: "Observable") }

  /// Shared by threads without an actor: assignment in the form of `count += 1` would lose what another thread writes.
  var isShared: Bool {
    guard lists("Sendable"), !isActor else { return false }
    return !attributes.contains { $0.as(AttributeSyntax.self)?.shortName.hasSuffix("Actor") == true }
  }
  var isObservable: Bool { lists("Observable") }

  /// The access of members that others use where they use the type; in a type that is not public they need none of their own.
  var access: String {
    let access = modifiers.access(forSetter: false)
    return ["public ", "package "].contains(access) ? access : ""
  }
  var isOpen: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.open) } }
}
#endif
