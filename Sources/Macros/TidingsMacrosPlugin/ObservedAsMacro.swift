#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservedAs`: the storage of one property, and the accessors that read and set it.
public enum ObservedAsMacro: AccessorMacro, PeerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let (property, type) = target(node, declaration, context, rejecting: true) else { return [] }
    let variable = property.declaration
    let storageType = property.binding.typeAnnotation == nil ? "" : ": Tidings.Observed<\(property.type ?? "")>"
    var value = ""
    if let initial = property.initialValue?.trimmedDescription ?? (property.hasInitialValue ? "nil" : nil) {
      value = " = Tidings.Observed(\(initial), \(property.arguments(of: type, node)))"
    }
    var peers: [DeclSyntax] = []
    switch property.face {
    case .storage:
      peers.append("\(raw: variable.access)nonisolated let $\(raw: property.name)\(raw: storageType)\(raw: value)")
    case .observed, .readOnly:
      let isReadOnly = property.face == .readOnly
      peers.append(
        "\(raw: isReadOnly ? variable.setterAccess ?? "" : "private ")let \(raw: property.storage)\(raw: storageType)\(raw: value)"
      )
      guard let known = property.type else { return peers }
      peers.append(
        """
        \(raw: variable.access)nonisolated var $\(raw: property.name): Tidings.\(raw: isReadOnly ? "ReadOnly" : "Observed")<\(raw: known)> {
          \(raw: property.storage)\(raw: isReadOnly ? ".readOnly" : "")
        }
        """)
    }
    if type.isObservable, let known = property.type {
      peers.append(
        "private nonisolated let _observation_\(raw: property.name) = TidingsMacros.ObservationAccess<\(raw: known)>()")
    }
    return peers
  }

  public static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    // The peers say what is wrong.
    guard let (property, type) = target(node, declaration, context, rejecting: false) else { return [] }
    let storage = property.storage
    var accessors: [AccessorDeclSyntax] = []
    // No init accessor for storage that has a value from the start: the compiler would assign the initial value once more, and
    // a throwing initializer would destroy what is not initialized yet (Swift 6.3).
    if !property.hasInitialValue {
      accessors.append(
        """
        @storageRestrictions(initializes: \(raw: storage))
        init(initialValue) {
          \(raw: storage) = Tidings.Observed(initialValue, \(raw: property.arguments(of: type, node)))
        }
        """)
    }
    if type.isObservable, property.type != nil {
      accessors.append("get { _observation_\(raw: property.name).value(of: \(raw: storage)) }")
    } else {
      accessors.append("get { \(raw: storage).value }")
    }
    if !type.isShared { accessors.append("set { \(raw: storage).set(newValue) }") }
    return accessors
  }

  /// The property and its type, if it can be observed: what cannot is rejected by the type's own macro.
  private static func target(
    _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, _ context: some MacroExpansionContext,
    rejecting: Bool
  ) -> (StoredProperty, EnclosingType)? {
    guard let type = context.lexicalContext.first.flatMap(EnclosingType.init), type.isModel else {
      if rejecting {
        context.reject("'@ObservedAs' is for a class or an actor: write '@ObservedProperties' on it", at: node)
      }
      return nil
    }
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.isStoredVariable else {
      if rejecting { context.reject("'@ObservedAs' is for a stored 'var' of an instance: remove it here", at: node) }
      return nil
    }
    guard variable.rejection == nil, let property = StoredProperty(variable) else { return nil }
    return (property, type)
  }
}
#endif
