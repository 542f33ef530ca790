import Tidings

/// A value of any type: held weakly if it is an object, whatever it is written as (a class, a protocol, `Any`), else as it is.
///
/// `weak` wants a type that is known to be a class, and casting back from `AnyObject` costs more than the weak load itself. So
/// the reference is kept beside it as it was, bit for bit and not retained. That is good for as long as the object lives,
/// and it is read only while the weak load keeps the object alive.
package final class Reference<Referent>: @unchecked Sendable {  // nothing in it changes
  private weak let object: AnyObject?
  private let bits: UnsafeMutablePointer<Referent>
  package let isWeak: Bool

  package init(_ referent: Referent) {
    // As `Any`: for a protocol, the type of what is in it.
    isWeak = type(of: referent as Any) is AnyClass
    object = isWeak ? referent as AnyObject : nil
    bits = .allocate(capacity: 1)
    if isWeak {
      withUnsafeBytes(of: referent) { referent in
        UnsafeMutableRawPointer(bits).copyMemory(from: referent.baseAddress!, byteCount: referent.count)
      }
    } else {
      bits.initialize(to: referent)
    }
  }
  deinit {
    if !isWeak { bits.deinitialize(count: 1) }
    bits.deallocate()
  }

  /// Passes it to `body`; an object is retained until `body` returns. False if it was deinitialized.
  package func with(_ body: (Referent) -> Void) -> Bool { withAddress { lend($0, body) } }

  @inline(__always) @discardableResult
  func withAddress(_ body: (UnsafePointer<Referent>) -> Void) -> Bool {
    let object = object
    if isWeak, object == nil { return false }
    withExtendedLifetime(object) { body(bits) }
    return true
  }
}
