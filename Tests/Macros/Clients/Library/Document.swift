public import TidingsMacros

/// A model of a library, open for subclasses.
@ObservedProperties @MainActor open class Document {
  open var title = ""
  public var pages = 1
  public init() {}
}
