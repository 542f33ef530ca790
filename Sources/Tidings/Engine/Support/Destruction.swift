/// Releases what was taken out, so that captures which keep one another take no stack.
///
/// A destroyed capture may cancel a subscription, whose captures are released in turn, and so on. Each link of such a chain takes
/// some hundred bytes of stack. If the stack is nearly used up, the release is left to the outermost release of the thread.
///
/// The word of the thread is nil while no release is in progress. Otherwise it is `nothingLeft`, or the retained `Rest` of what the
/// outermost release still has to release.
enum Destruction {
  private final class Rest {
    @exclusivity(unchecked) var objects: [Unmanaged<AnyObject>] = []
  }
  private static var nothingLeft: UnsafeMutableRawPointer? {
    @inline(__always) get { UnsafeMutableRawPointer(bitPattern: 1) }
  }

  @inline(__always)
  static func release(_ object: Unmanaged<some AnyObject>) {
    if destructionAddress() != nil { return nest(object.toOpaque()) }
    setDestructionAddress(nothingLeft)
    object.release()
    if destructionAddress() != nothingLeft { releaseRest() }
    setDestructionAddress(nil)
  }

  @inline(never)
  private static func nest(_ object: UnsafeMutableRawPointer) {
    let object = Unmanaged<AnyObject>.fromOpaque(object)
    if !isStackUsed { return object.release() }
    if destructionAddress() == nothingLeft { setDestructionAddress(Unmanaged.passRetained(Rest()).toOpaque()) }
    rest._withUnsafeGuaranteedRef { $0.objects.append(object) }
  }
  @inline(never)
  private static func releaseRest() {
    let rest = rest.takeRetainedValue()
    while let next = rest.objects.popLast() { next.release() }
  }
  private static var rest: Unmanaged<Rest> { .fromOpaque(destructionAddress().unsafelyUnwrapped) }
}
