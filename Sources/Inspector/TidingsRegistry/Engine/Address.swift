import Tidings

/// The address by which the engine names an object.
func address(of object: AnyObject) -> ObjectAddress {
  ObjectAddress(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}
