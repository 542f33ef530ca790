/// The part of a node that knows its type: closures that are specialised where the value is made.
///
/// A value of up to 32 bytes of plain memory is stored in the node, in one to four words. Any other is in a box, and its word is
/// the box's address. The engine moves words; it never looks into them.
public final class Body {
  /// Computes the value, and stores its words. A box is stored with a reference that the caller takes over.
  public typealias Compute = (_ into: UnsafeMutablePointer<UInt>) -> Void
  public typealias AreEqual = (UnsafePointer<UInt>, UnsafePointer<UInt>) -> Bool

  let compute: Compute
  /// Runs user code: never under a lock.
  let areEqual: AreEqual
  /// The words themselves show whether values are equal, as those of an `Int` do.
  let isComparedByBits: Bool
  let isSource: Bool
  let isBoxed: Bool
  let words: Int

  public init(
    isSource: Bool, isBoxed: Bool, words: Int, isComparedByBits: Bool, areEqual: @escaping AreEqual,
    compute: @escaping Compute
  ) {
    self.compute = compute
    self.areEqual = areEqual
    self.isComparedByBits = isComparedByBits
    self.isSource = isSource
    self.isBoxed = isBoxed
    self.words = words
  }
}

/// A value that is no plain memory of up to 32 bytes. Its last reference is released outside locks and pins.
public class AnyBox {
  public init() {}
}
public final class Box<Value>: AnyBox {
  public let value: Value
  public init(_ value: Value) {
    self.value = value
    super.init()
  }
}

/// How values of a type are kept in words.
public enum Words<Value> {
  @inlinable public static var isBoxed: Bool {
    !_isPOD(Value.self) || MemoryLayout<Value>.size > 32 || MemoryLayout<Value>.alignment > 8
  }
  @inlinable public static var count: Int { isBoxed ? 1 : max(1, (MemoryLayout<Value>.size + 7) / 8) }

  /// Stores the words of a value. The words are zero before, so that padding is equal where values are.
  @inlinable @inline(__always)
  public static func store(_ value: consuming Value, _ words: UnsafeMutablePointer<UInt>) {
    if isBoxed {
      words.pointee = UInt(bitPattern: Unmanaged<AnyBox>.passRetained(Box(value)).toOpaque())
    } else {
      UnsafeMutableRawPointer(words).storeBytes(of: value, as: Value.self)
    }
  }
  /// Copies a value from its words. A box must not be released meanwhile: the caller is pinned, or has a reference.
  @inlinable @inline(__always)
  public static func load(_ words: UnsafePointer<UInt>) -> Value {
    if isBoxed {
      let box = Unmanaged<AnyBox>.fromOpaque(UnsafeRawPointer(bitPattern: words.pointee).unsafelyUnwrapped)
      return box._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Box<Value>.self).value }
    }
    return UnsafeRawPointer(words).load(as: Value.self)
  }
  /// Equal words are equal values, and none else: not so of floating point, nor of a struct, whose `==` may be anything.
  @inlinable public static var areComparedByBits: Bool {
    Value.self == Int.self || Value.self == UInt.self || Value.self == Bool.self || Value.self == Int64.self
      || Value.self == UInt64.self || Value.self == Int32.self || Value.self == UInt32.self
  }
}

/// One to four words, zero at first.
public struct WordBuffer: BitwiseCopyable {
  public var words: (UInt, UInt, UInt, UInt)
  @inlinable @inline(__always) public init() { words = (0, 0, 0, 0) }

  @inlinable @inline(__always)
  public mutating func withWords<R>(_ body: (UnsafeMutablePointer<UInt>) -> R) -> R {
    withUnsafeMutablePointer(to: &self) {
      body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt.self))
    }
  }
}
