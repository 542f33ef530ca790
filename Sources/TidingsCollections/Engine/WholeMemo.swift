import Synchronization

/// The whole of a state as one of the standard library's collections, once it has been read so.
///
/// The first object that a thread keeps stays until the end.
struct WholeMemo: ~Copyable, @unchecked Sendable {  // the reference is written once; the objects never change
  /// A reference with its retain.
  private let kept = Atomic<UnsafeRawPointer?>(nil)
  deinit {
    if let kept = kept.load(ordering: .acquiring) { Unmanaged<AnyObject>.fromOpaque(kept).release() }
  }

  var object: AnyObject? {
    kept.load(ordering: .acquiring).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }
  /// - Returns: The object that is kept, which another thread may have made.
  @discardableResult
  func keep(_ new: AnyObject) -> AnyObject {
    let reference = Unmanaged.passRetained(new)
    let result = kept.compareExchange(
      expected: nil, desired: UnsafeRawPointer(reference.toOpaque()), ordering: .acquiringAndReleasing)
    if result.exchanged { return new }
    reference.release()
    return object.unsafelyUnwrapped
  }
}
