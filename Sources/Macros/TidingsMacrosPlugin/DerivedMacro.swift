#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Derived`: a `Derived` whose closure is the body of a computed property.
///
/// The body is written into the closure behind local properties of the names that it uses. So it captures the properties that
/// it reads and not the object, and runs on any thread though the object may belong to an actor.
public enum DerivedMacro: PeerMacro {
  /// Declares the property that stores the `Derived`. The macro of the class writes the rest, as it knows the other properties.
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let type = context.lexicalContext.first.flatMap(EnclosingType.init), type.isModel else {
      let isInExtension = context.lexicalContext.first?.is(ExtensionDeclSyntax.self) == true
      context.reject(
        isInExtension
          ? "a macro does not see the other properties from an extension: write '@Derived' in the class itself"
          : "'@Derived' is for a class or an actor: write '@ObservedProperties' on it", at: node)
      return []
    }
    if type.observableMacro != nil { return [] }
    guard let variable = declaration.as(VariableDeclSyntax.self), let name = variable.name,
      let written = variable.binding?.typeAnnotation?.type, variable.isInstance, variable.getter != nil,
      !variable.hasSetter
    else {
      context.reject(
        "'@Derived' is for a computed property that only reads: write '@Derived var name: Type { … }', without 'set', "
          + "'async' and 'throws'", at: node)
      return []
    }
    if name != name.unquoted {
      context.reject("\(name) cannot have a '$' in front: write another name", at: variable)
      return []
    }
    if let unwrapped = written.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      let optional = "\(unwrapped.wrappedType.trimmedDescription)?"
      context.reject(
        "'\(written.trimmed)' is no type of a value: write '\(optional)'", at: written,
        Remedy("write '\(optional)'", replacing: written, with: TypeSyntax("\(raw: optional)\(written.trailingTrivia)"))
      )
      return []
    }
    return context.placed(
      [
        "private nonisolated let _derived_\(raw: name) = TidingsMacros.LazyReference<Tidings.Derived<\(written.trimmed)>>()"
      ], at: variable.bindings)
  }

  /// `$total`. Nil, and a rejection, if the body needs what cannot be captured.
  static func property(
    _ variable: VariableDeclSyntax, of model: Model, in context: some MacroExpansionContext
  ) -> DeclSyntax? {
    guard let name = variable.name, let written = variable.binding?.typeAnnotation?.type,
      !written.is(ImplicitlyUnwrappedOptionalTypeSyntax.self), variable.isInstance, !variable.hasSetter,
      let body = variable.getter
    else { return nil }
    let type = written.trimmedDescription
    let reads = BodyReads(body)
    guard reject(reads, of: variable, name, in: model, context) else { return nil }
    var (captures, locals): ([String], [String]) = ([], [])
    for property in model.observed where reads.names.contains(property.name) {
      let source = BodyReads.source(property.name)
      captures.append("\(source) = \(property.storage)")
      if reads.bare.contains(property.name) { locals.append(local(property.name, property.writtenType, source)) }
      if property.isUnwrapped, reads.qualified.contains(property.name) {
        locals.append(local(BodyReads.unwrapped(property.name), property.writtenType, source))
      }
    }
    for other in model.derived {
      guard let read = other.name, reads.names.contains(read) else { continue }
      captures.append("\(BodyReads.source(read)) = $\(read)")
      if reads.bare.contains(read) {
        locals.append(
          local(read, other.binding?.typeAnnotation?.type.trimmedDescription, BodyReads.source(read)))
      }
    }
    let own = Set(model.observed.map(\.name) + model.derived.compactMap(\.name))
    for inherited in reads.projections.subtracting(own).sorted() {
      captures.append("\(BodyReads.source(inherited)) = $\(inherited)")
    }
    for constant in model.constants.flatMap(\.names) where reads.names.contains(constant.unquoted) {
      let read = constant.unquoted
      if reads.bare.contains(read) {
        captures.append("\(constant) = self.\(constant)")
        // A capture that a local name hides is not used otherwise, and a client would be warned.
        if reads.declared.contains(read) { locals.append("_ = \(constant)") }
      }
      if reads.qualified.contains(read) { captures.append("\(BodyReads.source(read)) = self.\(constant)") }
    }
    let list = captures.isEmpty ? "" : "[\(captures.joined(separator: ", "))] "
    let text = reads.text(own, unwrapped: Set(model.observed.filter(\.isUnwrapped).map(\.name)))
    // A local function, whose isolation the compiler checks; that of a local variable's accessor it does not (Swift 6.3). The
    // body has lines of its own, as its last one may be a comment or a directive.
    return """
      \(raw: variable.access)nonisolated var $\(raw: name): Tidings.Derived<\(raw: type)> {
        _derived_\(raw: name) {
          \(raw: context.directive(for: variable.bindings))Tidings.Derived("\(raw: model.type.name).\(raw: name)") { \(raw: list)() -> \(raw: type) in
            \(raw: locals.map { $0 + "\n      " }.joined())func _derivedValue() -> \(raw: type) {
      \(raw: context.placed(text, at: body))
            }
            return _derivedValue()
          }
        }
      }
      """
  }

  private static func local(_ name: String, _ type: String?, _ source: String) -> String {
    "var \(name): \(type ?? "Never") { \(source).value }"
  }

  /// Whether the body can be copied; says what to write if not.
  private static func reject(
    _ reads: BodyReads, of variable: VariableDeclSyntax, _ name: String, in model: Model,
    _ context: some MacroExpansionContext
  ) -> Bool {
    var isAllowed = true
    func reject(_ message: String, at node: some SyntaxProtocol, _ remedy: Remedy? = nil) {
      context.reject(message, at: node, remedy)
      isAllowed = false
    }
    if let whole = reads.wholeSelf {
      reject(
        "'\(name)' may not use the object itself, which '$\(name)' does not keep: write the properties that it reads",
        at: whole)
    }
    for (read, node) in reads.nodes {
      if model.methods.contains(read) {
        reject(
          "'\(name)' calls the method '\(read)', which needs the object: write its code here, or make it 'static' and call "
            + "'Self.\(read)'", at: node)
      }
      if let other = model.computed.first(where: { $0.name?.unquoted == read }) {
        reject(
          "'\(name)' reads '\(read)', which is computed from the object: write '@Derived' on '\(read)'", at: node,
          Remedy(attribute: "Derived", on: other))
      }
      if model.unobserved.contains(where: { $0.names.map(\.unquoted).contains(read) }) {
        reject(
          "'\(name)' reads '\(read)', whose changes are not observed: remove '@Unobserved' from '\(read)'", at: node)
      }
      if let stored = model.observed.first(where: { $0.face != .storage && $0.storage == read }) {
        reject(
          "'\(name)' reads '\(read)', where '\(stored.name)' is stored: write '\(stored.name)'", at: node)
      } else if reads.qualified.contains(read), !model.declares(read) {
        reject(
          "'\(name)' reads '\(read)', which this class does not declare: write '$\(read).value' if it is observed where it is "
            + "declared", at: node)
      }
      if let other = model.observed.first(where: { $0.name == read }), other.type == nil, reads.bare.contains(read) {
        reject(
          "the type of '\(read)', which '\(name)' reads, cannot be inferred by a macro: write 'var \(read): Type'",
          at: other.declaration, Remedy(typeOf: other.declaration))
      }
    }
    if let cycle = model.cycle(from: name) {
      let chain = cycle.map { "'\($0)'" }.joined(separator: " → ")
      reject("cycle: \(chain): write one of them without reading the next", at: variable)
    }
    return isAllowed
  }
}

extension Model {
  /// The derived properties through which one depends on itself, beginning and ending with it.
  func cycle(from start: String) -> [String]? {
    var edges: [String: [String]] = [:]
    let names = derived.compactMap(\.name)
    for property in derived {
      guard let name = property.name, let body = property.getter else { continue }
      let reads = BodyReads(body)
      edges[name] = names.filter(reads.names.contains)
    }
    var visited: Set<String> = []
    func path(from name: String) -> [String]? {
      for next in edges[name] ?? [] {
        if next == start { return [name, start] }
        if visited.insert(next).inserted, let rest = path(from: next) { return [name] + rest }
      }
      return nil
    }
    return path(from: start)
  }
}
#endif
