/// Passes the value at an address and not a copy of it: without specialisation `body(address.pointee)` makes one, unless the
/// type cannot be copied.
@_alwaysEmitIntoClient @inline(__always)
package func lend<Value: ~Copyable>(_ address: UnsafePointer<Value>, _ body: (borrowing Value) -> Void) {
  body(address.pointee)
}
