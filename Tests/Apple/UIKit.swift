// The declarations of UIKit that the guide *Interactors* uses, see Foundation.swift. The methods of the delegate, which are optional
// there, are required here, so that one whose name or type differs is reported.
@_exported import Foundation

private func none<Result>() -> Result { fatalError() }

@MainActor open class UIResponder: NSObjectProtocol {
  public init() {}
  @discardableResult open func resignFirstResponder() -> Bool { none() }
}
open class UIView: UIResponder {}
open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let editingChanged = Event(rawValue: 1 << 17)
  }
  open func addTarget(_ target: Any?, action: Selector, for events: Event) {}
}
@MainActor open class UITextPosition {}
@MainActor open class UITextRange {
  open var start: UITextPosition { none() }
  open var end: UITextPosition { none() }
}
@MainActor public protocol UITextFieldDelegate: NSObjectProtocol {
  func textField(_ field: UITextField, shouldChangeCharactersIn range: NSRange, replacementString: String) -> Bool
  func textFieldShouldClear(_ field: UITextField) -> Bool
  func textFieldShouldReturn(_ field: UITextField) -> Bool
  func textFieldDidBeginEditing(_ field: UITextField)
  func textFieldDidEndEditing(_ field: UITextField)
}
open class UITextField: UIControl {
  open weak var delegate: (any UITextFieldDelegate)?
  open var text: String? {
    get { none() }
    set {}
  }
  open var isEditing: Bool { none() }
  open var markedTextRange: UITextRange? { none() }
  open var selectedTextRange: UITextRange? {
    get { none() }
    set {}
  }
  open var beginningOfDocument: UITextPosition { none() }
  open func offset(from: UITextPosition, to: UITextPosition) -> Int { none() }
  open func position(from: UITextPosition, offset: Int) -> UITextPosition? { none() }
  open func textRange(from: UITextPosition, to: UITextPosition) -> UITextRange? { none() }
}
