#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The members of a class or an actor, sorted by what the macros do with them.
struct Model {
  let type: EnclosingType
  /// The observed properties, in the order of declaration.
  private(set) var observed: [StoredProperty] = []
  private(set) var derived: [VariableDeclSyntax] = []
  /// Instance constants.
  private(set) var constants: [VariableDeclSyntax] = []
  /// Stored variables that are not observed.
  private(set) var unobserved: [VariableDeclSyntax] = []
  /// Computed properties that are not `@Derived`.
  private(set) var computed: [VariableDeclSyntax] = []
  /// The names of the instance's methods.
  private(set) var methods: Set<String> = []
  /// The initializers, methods and types that the class writes itself: they are not written again.
  private(set) var others: [DeclSyntax] = []
  private var rejected: [VariableDeclSyntax] = []

  init(_ declaration: some DeclGroupSyntax, _ type: EnclosingType) {
    self.type = type
    for member in declaration.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else {
        if let method = member.decl.as(FunctionDeclSyntax.self), !method.modifiers.isOfType {
          methods.insert(method.name.text.unquoted)
        }
        others.append(member.decl)
        continue
      }
      if !variable.isInstance { continue }
      if variable.attribute("Derived") != nil {
        // Its own macro rejects a name in backticks.
        if variable.name == variable.name?.unquoted { derived.append(variable) }
      } else if !variable.isVar {
        constants.append(variable)
      } else if variable.isComputed {
        computed.append(variable)
      } else if !variable.isStoredVariable {
        unobserved.append(variable)
      } else if variable.rejection == nil, let property = StoredProperty(variable) {
        observed.append(property)
      } else {
        rejected.append(variable)
      }
    }
  }

  /// Whether it is a member that this declaration itself has.
  func declares(_ name: String) -> Bool {
    let variables = derived + constants + unobserved + computed + observed.map(\.declaration)
    return methods.contains(name) || variables.contains { $0.names.map(\.unquoted).contains(name) }
  }

  /// Reports everything that cannot be observed, with what to write instead.
  func reject(in context: some MacroExpansionContext) {
    for variable in rejected {
      if let rejection = variable.rejection { context.reject(rejection.message, at: variable, rejection.remedy) }
    }
    for other in others {
      guard let conditional = other.as(IfConfigDeclSyntax.self) else { continue }
      let reason = "a macro does not see which part of '#if' is compiled"
      if conditional.contains(where: \.isStoredVariable) {
        context.reject("\(reason): write the property outside, or '@Unobserved'", at: conditional)
      }
      if conditional.contains(where: { $0.attribute("Derived") != nil }) {
        context.reject("\(reason): write '@Derived' outside, and the '#if' in its body", at: conditional)
      }
    }
    rejectOperators(in: context)
    rejectNamesOfStorage(in: context)
    rejectSetters(in: context)
    for variable in derived where variable.name == "changes" {
      context.reject("'$changes' is the event of all properties: write another name than 'changes'", at: variable)
    }
    for property in observed where property.type == nil {
      guard type.isObservable || property.declaration.setterAccess != nil else { continue }
      let reason = type.isObservable ? "in an 'Observable' class" : "whose '$\(property.name)' only reads"
      context.reject(
        "the type of '\(property.name)', \(reason), cannot be inferred by a macro: write 'var \(property.name): Type'",
        at: property.declaration, Remedy(typeOf: property.declaration))
    }
  }

  /// Declares the list of properties over which `snapshot()` and `restore(_:)` iterate.
  func properties(inherited isInherited: Bool) -> DeclSyntax {
    let access = type.isOpen ? "open " : type.access
    let own = observed.map { "TidingsMacros.ModelProperty(\"\($0.name)\", \($0.storage))" }.joined(separator: ", ")
    return """
      \(raw: access)\(raw: isInherited ? "override " : "")nonisolated var _observedProperties: [TidingsMacros.ModelProperty] {
        \(raw: isInherited ? "super._observedProperties + " : "")[\(raw: own)]
      }
      """
  }

  /// The event of all properties. Of a class that may have subclasses there is none: they could not override it with theirs.
  var changes: [DeclSyntax] {
    if observed.isEmpty { return [] }
    let own = observed.filter { $0.face != .readOnly || $0.type != nil }.map { property in
      ".init(\(property.face == .readOnly ? "readOnly: " : "")\\.$\(property.name), \(property.storage))"
    }
    return [
      "private nonisolated let _allChanges = TidingsMacros.LazyReference<Tidings.PropertyChanges<\(raw: type.name)>>()",
      """
      \(raw: type.access)nonisolated var $changes: Tidings.PropertyChanges<\(raw: type.name)> {
        _allChanges {
          Tidings.PropertyChanges(\(raw: own.joined(separator: ", ")), label: "\(raw: type.name)")
        }
      }
      """,
    ]
  }
}

extension Model {
  /// Two members of one name: the compiler would point to the one that the user did not write.
  private func rejectNamesOfStorage(in context: some MacroExpansionContext) {
    for property in observed where property.face != .storage {
      let variables = derived + constants + unobserved + computed + observed.map(\.declaration)
      for other in variables where other.names.contains(property.storage) {
        context.reject("'\(property.storage)' is where '\(property.name)' is stored: write another name", at: other)
      }
    }
  }

  /// The compiler finds an operator twice in a class to which a macro adds members of any name, and so it cannot choose one for
  /// a protocol (Swift 6.3).
  private func rejectOperators(in context: some MacroExpansionContext) {
    guard let named = ["Equatable", "Hashable", "Comparable"].first(where: type.lists) else { return }
    for case let method? in others.map({ $0.as(FunctionDeclSyntax.self) }) where method.isOperator {
      context.reject(
        "the compiler finds '\(method.name.text)' twice in a class with this macro: write '\(named)' and "
          + "'\(method.name.text)' in an extension", at: method)
    }
  }
}

extension FunctionDeclSyntax {
  fileprivate var isOperator: Bool {
    switch name.tokenKind {
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }
}

extension IfConfigDeclSyntax {
  /// Whether it contains a variable of a kind, also in a `#if` within it.
  fileprivate func contains(where isMeant: (VariableDeclSyntax) -> Bool) -> Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { member in
        member.decl.as(VariableDeclSyntax.self).map(isMeant) == true
          || member.decl.as(IfConfigDeclSyntax.self)?.contains(where: isMeant) == true
      }
    }
  }
}

extension DeclModifierListSyntax {
  /// `static` or `class`.
  var isOfType: Bool { contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) } }
}
#endif
