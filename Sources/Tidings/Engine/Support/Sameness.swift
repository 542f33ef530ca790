// The one rule by which the library compares values: the policy `.distinct`, derived values, `removeDuplicates()`, `bind`.

/// Whether two values are the same: they are equal, or the same bit by bit, or both are NaN.
///
/// With `==` alone a value that stays NaN would be another one with each look. A type's own `==` is called once: the bits show that a
/// structure with a field that is NaN is the one from before.
@_alwaysEmitIntoClient @inline(__always)
func isSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool {
  // The compiler decides between the three if it knows the type.
  if Value.self == Double.self || Value.self == Float.self { return one == other || (one != one && other != other) }
  if Value.self == Int.self || Value.self == String.self || Value.self == Bool.self || Value.self == UInt.self {
    return one == other
  }
  return one == other || haveSameBits(one, other)
}

/// Whether two values are the same bit by bit. Padding may make them differ.
@usableFromInline @inline(never)
func haveSameBits<Value>(_ one: Value, _ other: Value) -> Bool {
  withUnsafeBytes(of: one) { one in
    withUnsafeBytes(of: other) { other in
      for index in 0..<one.count where one[index] != other[index] { return false }
      return true
    }
  }
}

/// The same rule for the products of this package.
package func areSame<Value: Equatable>(_ one: Value, _ other: Value) -> Bool { isSame(one, other) }

/// The same rule for values of which no type is known. Those that cannot be compared are never the same.
package func areKnownSame(_ one: Any, _ other: Any) -> Bool {
  func compare<Known: Equatable>(_ one: Known) -> Bool { (other as? Known).map { isSame(one, $0) } ?? false }
  guard let one = one as? any Equatable else { return false }
  return compare(one)
}

// MARK: Following a source

/// Whether a value that follows a source without a closure of the user's has not changed: the source gives the very value that it gave
/// before, or one of a type whose `==` compares all there is. A type's own `==` may be coarser than the policy of the source.
/// Values that cannot be compared have always changed.
@usableFromInline @inline(never)
func isUnchanged<Value>(_ one: Value, _ other: Value) -> Bool {
  guard one is any Equatable else { return false }
  return haveSameBits(one, other) || Value.self is any ExactlyEquatable.Type && areKnownSame(one, other)
}

/// Types of the standard library whose `==` compares all there is to a value.
private protocol ExactlyEquatable: Equatable {}
extension Int: ExactlyEquatable {}
extension Int8: ExactlyEquatable {}
extension Int16: ExactlyEquatable {}
extension Int32: ExactlyEquatable {}
extension Int64: ExactlyEquatable {}
extension UInt: ExactlyEquatable {}
extension UInt8: ExactlyEquatable {}
extension UInt16: ExactlyEquatable {}
extension UInt32: ExactlyEquatable {}
extension UInt64: ExactlyEquatable {}
extension Float: ExactlyEquatable {}
extension Double: ExactlyEquatable {}
extension Bool: ExactlyEquatable {}
extension String: ExactlyEquatable {}
extension Character: ExactlyEquatable {}
extension Substring: ExactlyEquatable {}
extension Duration: ExactlyEquatable {}
extension Optional: ExactlyEquatable where Wrapped: ExactlyEquatable {}
extension Array: ExactlyEquatable where Element: ExactlyEquatable {}
extension Set: ExactlyEquatable where Element: ExactlyEquatable {}
extension Dictionary: ExactlyEquatable where Key: ExactlyEquatable, Value: ExactlyEquatable {}
