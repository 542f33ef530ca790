/// The error of a commit of a draft whose property has been set elsewhere while it was edited.
///
/// ``Interactor/conflict`` has the value. ``Interactor/keepMine()`` and ``Interactor/takeTheirs()`` resolve it.
public struct EditConflict: Error, Hashable, CustomStringConvertible {
  /// The value that came, as the format writes it.
  public let text: String
  public var description: String { "Meanwhile this was set to “\(text)” elsewhere." }
}
