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
          methods.insert(method.name.text)
        }
        others.append(member.decl)
        continue
      }
      if !variable.isInstance { continue }
      if variable.attribute("Derived") != nil {
        derived.append(variable)
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
    return methods.contains(name) || variables.contains { $0.names.contains(name) }
  }

  /// Reports everything that cannot be observed, with what to write instead.
  func reject(in context: some MacroExpansionContext) {
    for variable in rejected {
      if let rejection = variable.rejection { context.reject(rejection.message, at: variable, rejection.remedy) }
    }
    for other in others {
      guard let conditional = other.as(IfConfigDeclSyntax.self), conditional.storesVariables else { continue }
      context.reject(
        "a macro does not see which part of '#if' is compiled: write the property outside, or '@Unobserved'",
        at: conditional)
    }
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

extension IfConfigDeclSyntax {
  /// Whether a variable in it would be observed.
  fileprivate var storesVariables: Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { $0.decl.as(VariableDeclSyntax.self)?.isStoredVariable == true }
    }
  }
}

extension DeclModifierListSyntax {
  /// `static` or `class`.
  var isOfType: Bool { contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) } }
}
#endif
