// The declarations of AppKit that the guide *Interactors* uses, see Foundation.swift. The methods of the delegate, which are optional
// there, are required here, so that one whose name or type differs is reported.
@_exported import Foundation

private func none<Result>() -> Result { fatalError() }

@MainActor open class NSResponder: NSObjectProtocol {
  public init() {}
  open func insertNewline(_ sender: Any?) {}
}
open class NSView: NSResponder {}
open class NSText: NSView {
  open var string: String {
    get { none() }
    set {}
  }
}
open class NSTextView: NSText {
  open func hasMarkedText() -> Bool { none() }
  open func selectedRange() -> NSRange { none() }
  open func setSelectedRange(_ range: NSRange) {}
}
open class NSControl: NSView {
  open var stringValue: String {
    get { none() }
    set {}
  }
  open func currentEditor() -> NSText? { none() }
}
open class NSTextField: NSControl {
  open func textDidBeginEditing(_ notification: Notification) {}
  open func textDidChange(_ notification: Notification) {}
  open func textDidEndEditing(_ notification: Notification) {}
}
@MainActor public protocol NSTextViewDelegate: NSObjectProtocol {
  func textView(_ view: NSTextView, shouldChangeTextIn range: NSRange, replacementString: String?) -> Bool
  func textView(_ view: NSTextView, doCommandBy command: Selector) -> Bool
}
