import TidingsMacros

@ObservedProperties @MainActor class Document: Codable {
  var title = ""
  init() {}
}

@ObservedProperties @MainActor final class Letter: Document {
  // warning: 'checkSubclass' is deprecated: the superclass codes its own properties, and not those of this class: write 'encode(to:)' and 'init(from:)'
  var recipient = ""
}

@ObservedProperties @MainActor final class Note: Document {
  var text = ""
  nonisolated override func encode(to encoder: any Encoder) throws { try super.encode(to: encoder) }
}
