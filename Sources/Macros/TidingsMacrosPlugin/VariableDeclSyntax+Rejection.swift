#if Macros
import SwiftSyntax

extension VariableDeclSyntax {
  /// Why a stored variable cannot be observed, and what to write instead; nil if it can.
  var rejection: (message: String, remedy: Remedy?)? {
    guard let binding else {
      return ("several variables in one declaration cannot be observed: write a 'var' for each", separated)
    }
    guard let name else { return ("a tuple pattern cannot be observed: write a 'var' for each of its names", nil) }
    let unobserved = Remedy(attribute: "Unobserved", on: self)
    if let wrapper {
      return (
        "'\(name)' has '@\(wrapper.shortName)', and a property cannot be wrapped and observed: write '@Unobserved', or "
          + "remove the wrapper", unobserved
      )
    }
    if isReferenceModified {
      return (
        "'\(name)' would be held strongly by what observes it: write '@Unobserved', or a 'var' of a type that holds its object weakly",
        unobserved
      )
    }
    if has(.lazy) {
      return (
        "a lazy property cannot be observed: write '@Derived var \(name): Type { … }' if it follows from others, "
          + "or '@Unobserved'", unobserved
      )
    }
    if hasObservers {
      return (
        "'willSet' and 'didSet' of an observed property would not be called: observe '$\(name)', or write '@Unobserved'",
        unobserved
      )
    }
    if has(.override) {
      return ("'\(name)' is stored by the superclass: remove 'override', and observe '$\(name)'", nil)
    }
    if name.hasPrefix("`") {
      return ("\(name) cannot have a '$' in front: write another name, or '@Unobserved'", unobserved)
    }
    if name == "changes" {
      return (
        "'$changes' is the event of all properties: write another name than 'changes', or '@Unobserved'", unobserved
      )
    }
    if binding.typeAnnotation == nil, binding.initializer == nil {
      return ("'\(name)' needs a type or an initial value: write 'var \(name): Type'", Remedy(typeOf: self))
    }
    return nil
  }

  /// `var a = 1, b = 2` as two declarations. Nil if a type represents several.
  private var separated: Remedy? {
    guard let list = parent?.as(MemberBlockItemSyntax.self)?.parent?.as(MemberBlockItemListSyntax.self),
      let index = list.firstIndex(where: { $0.decl.id == id }),
      bindings.allSatisfy({
        $0.pattern.is(IdentifierPatternSyntax.self) && ($0.typeAnnotation ?? nil) != nil || $0.initializer != nil
      })
    else { return nil }
    let indentation = leadingTrivia.pieces.last.map { Trivia(pieces: [$0]) } ?? []
    let items = bindings.enumerated().map { number, binding in
      var one = self
      one.bindings = [binding.with(\.trailingComma, nil)]
      one.leadingTrivia = number == 0 ? leadingTrivia : .newline + indentation
      one.trailingTrivia = []
      return MemberBlockItemSyntax(decl: one)
    }
    var new = list
    new.replaceSubrange(index..<list.index(after: index), with: items)
    return Remedy("write a 'var' for each", replacing: list, with: new)
  }
}
#endif
