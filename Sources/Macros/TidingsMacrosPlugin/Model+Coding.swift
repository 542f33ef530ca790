#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

extension Model {
  /// A stored property as it is coded.
  private struct Coded {
    let name: String
    /// The name of the property that is read and, if it has a value from the start, set.
    let storage: String
    let isObserved: Bool
    let hasInitialValue: Bool
    /// The arguments with which its `Observed` is made.
    var arguments = ""
    var local: String { "_value_\(name)" }
  }

  /// Returns the members that `Codable` requires, except those that the class declares itself. The compiler's own would code the
  /// storage, under its names.
  func coding(in context: some MacroExpansionContext) -> [DeclSyntax] {
    let encodes = type.lists("Codable") || type.lists("Encodable")
    let decodes = type.lists("Codable") || type.lists("Decodable")
    let writesEncoding = encodes && !others.contains { $0.as(FunctionDeclSyntax.self)?.isEncoding == true }
    let writesDecoding = decodes && !others.contains { $0.as(InitializerDeclSyntax.self)?.isDecoding == true }
    guard writesEncoding || writesDecoding, let coded = coded(in: context) else { return [] }
    var members: [DeclSyntax] = []
    if !others.contains(where: { $0.as(EnumDeclSyntax.self)?.name.text == "CodingKeys" }) {
      let cases = coded.map { "case \($0.name)" }.joined(separator: "\n  ")
      members.append(
        coded.isEmpty
          ? "private enum CodingKeys: CodingKey {}"
          : """
          private enum CodingKeys: String, CodingKey {
            \(raw: cases)
          }
          """)
    }
    if writesEncoding { members.append(encoding(coded)) }
    if writesDecoding { members.append(decoding(coded)) }
    return members
  }

  /// A call that the compiler warns of if the superclass is `Encodable`: it codes its own properties alone, and cannot be asked
  /// for again by the subclass. Nothing if the subclass writes the code itself.
  func inheritedCoding(in context: some MacroExpansionContext) -> [DeclSyntax] {
    guard let first = observed.first, !others.contains(where: { $0.as(FunctionDeclSyntax.self)?.isEncoding == true })
    else {
      return []
    }
    let check = context.placed("TidingsMacros.ModelCoding.checkSubclass(\(type.name).self)", at: first.binding)
    return ["private static func _checkCoding() {\n\(raw: check)\n}"]
  }

  /// The observed properties, and what else `init` has to assign. Nil, and a rejection, if one of those cannot be coded.
  private func coded(in context: some MacroExpansionContext) -> [Coded]? {
    var coded = observed.map {
      Coded(
        name: $0.name, storage: $0.storage, isObserved: true, hasInitialValue: $0.hasInitialValue,
        arguments: $0.arguments(of: type, $0.declaration.attribute("ObservedAs")))
    }
    for constant in constants where constant.binding?.initializer == nil {
      guard let name = constant.name else { continue }
      coded.append(Coded(name: name, storage: name, isObserved: false, hasInitialValue: false))
    }
    for variable in unobserved where !variable.has(.lazy) && !variable.isReferenceModified {
      guard let property = StoredProperty(variable), !property.hasInitialValue else { continue }
      context.reject(
        "'\(property.name)' is not observed, so it is not coded: write an initial value, or 'init(from:)' and 'encode(to:)'",
        at: variable)
      return nil
    }
    // Keys that are written by hand leave out what they do not name.
    for other in others {
      guard let keys = other.as(EnumDeclSyntax.self), keys.name.text == "CodingKeys" else { continue }
      let names = keys.memberBlock.members.flatMap { member in
        member.decl.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.text) ?? []
      }
      coded.removeAll { !names.contains($0.name) }
    }
    return coded
  }

  private func encoding(_ coded: [Coded]) -> DeclSyntax {
    let observed = coded.filter(\.isObserved)
    let captures = observed.map { "\($0.local) = \($0.storage)" }.joined(separator: ", ")
    let values = observed.map { "\($0.local).value" }.joined(separator: ", ")
    let locals = observed.map(\.local).joined(separator: ", ")
    let together =
      observed.isEmpty ? "" : "let (\(locals)) = TidingsMacros.readTogether { [\(captures)] in (\(values)) }\n  "
    let lines = coded.map { property in
      "try TidingsMacros.ModelCoding.encode(\(property.isObserved ? property.local : property.storage), to: &container, forKey: .\(property.name))"
    }
    return """
      \(raw: type.access)nonisolated func encode(to encoder: any Encoder) throws {
        \(raw: together)\(raw: coded.isEmpty ? "_ =" : "var container =") encoder.container(keyedBy: CodingKeys.self)
        \(raw: lines.joined(separator: "\n  "))
      }
      """
  }

  private func decoding(_ coded: [Coded]) -> DeclSyntax {
    let lines = coded.map { property in
      let value = "try TidingsMacros.ModelCoding.decode(CodingKeys.\(property.name), from: container)"
      if !property.isObserved { return "\(property.name) = \(value)" }
      if property.hasInitialValue { return "\(property.storage).set(\(value), isolation: nil)" }
      return "\(property.storage) = Tidings.Observed(\(value), \(property.arguments))"
    }
    return """
      \(raw: type.access)\(raw: type.isFinal ? "" : "required ")nonisolated init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        \(raw: lines.joined(separator: "\n  "))
      }
      """
  }
}

extension FunctionDeclSyntax {
  fileprivate var isEncoding: Bool {
    name.text == "encode" && signature.parameterClause.parameters.map(\.firstName.text) == ["to"]
  }
}
extension InitializerDeclSyntax {
  fileprivate var isDecoding: Bool { signature.parameterClause.parameters.map(\.firstName.text) == ["from"] }
}
#endif
