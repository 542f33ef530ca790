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
      guard let known = property.type else { break }
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
    return context.placed(peers, at: property.binding)
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
    let isTracked = type.isObservable && property.type != nil
    let read = isTracked ? "_observation_\(property.name).value(of: \(storage))" : "\(storage).value"
    accessors.append("get { \(raw: context.placed(read, at: property.binding))\n}")
    if !type.isShared || property.declaration.setterAccess != nil {
      // Without a setter the compiler rejects `private(set)`. One that is unavailable could not assign the first value, either, so in
      // a shared class a property without an initial value is rejected by the type's own macro.
      let message = Model.sharedAssignment(property)
      let attribute =
        type.isShared && property.hasInitialValue ? "@available(*, unavailable, message: \"\(message)\") " : ""
      accessors.append(
        "\(raw: attribute)set { \(raw: context.placed("\(storage).set(newValue)", at: property.binding))\n}")
    }
    return accessors
  }

  /// The property and its type, if it can be observed: what cannot is rejected by the type's own macro.
  private static func target(
    _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, _ context: some MacroExpansionContext,
    rejecting: Bool
  ) -> (StoredProperty, EnclosingType)? {
    let forStored = "'@ObservedAs' is for a stored 'var' of an instance: remove it here"
    guard let type = context.lexicalContext.first.flatMap(EnclosingType.init), type.isModel else {
      let isInExtension = context.lexicalContext.first?.is(ExtensionDeclSyntax.self) == true
      if rejecting {
        context.reject(
          isInExtension ? forStored : "'@ObservedAs' is for a class or an actor: write '@ObservedProperties' on it",
          at: node)
      }
      return nil
    }
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.isStoredVariable else {
      if rejecting { context.reject(forStored, at: node) }
      return nil
    }
    guard type.observableMacro == nil, variable.rejection == nil, let property = StoredProperty(variable) else {
      return nil
    }
    return (property, type)
  }
}
#endif
