#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservedProperties`: attaches `@ObservedAs` to each stored variable, and writes what concerns all of them.
public enum ObservedPropertiesMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard EnclosingType(declaration)?.observableMacro == nil, let variable = member.as(VariableDeclSyntax.self),
      variable.isStoredVariable, variable.attribute("ObservedAs") == nil, variable.rejection == nil
    else { return [] }
    return ["@ObservedAs(.\(raw: node.changePolicy ?? "every"))"]
  }

  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // A subclass of a model has inherited the conformance.
    guard let model = EnclosingType(declaration), model.observableMacro == nil, !protocols.isEmpty else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): TidingsMacros.ObservedModel {}")]
  }

  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let type = EnclosingType(declaration) else {
      context.reject(
        "'@ObservedProperties' is for a class or an actor, as copies of a value have no handlers: write 'final class', "
          + "or put the structure into one 'Observed'", at: node)
      return []
    }
    if let observable = type.observableMacro {
      context.reject(
        "'@Observable' and '@ObservedProperties' both store the properties: write 'Observable' after the name of the class "
          + "instead of '@Observable'", at: observable)
      return []
    }
    let model = Model(declaration, type)
    model.reject(in: context)
    model.rejectAssignments(in: context)
    let isInherited = protocols.isEmpty && !type.lists("ObservedModel")
    var members = [model.properties(inherited: isInherited)]
    members += model.derived.compactMap { DerivedMacro.property($0, of: model, in: context) }
    if type.isFinal { members += model.changes }
    members += model.coding(in: context)
    if isInherited { members += model.inheritedCoding(in: context) }
    return members
  }
}

/// `@Unobserved` is read by the macro of the class, and adds nothing.
public enum UnobservedMacro: PeerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
#endif
