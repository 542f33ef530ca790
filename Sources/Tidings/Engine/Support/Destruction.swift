/// Releases what was taken out, so that captures which keep one another take no stack.
///
/// A destroyed capture may cancel a subscription, whose captures are released in turn, and so on. Each link of such a chain takes
/// some hundred bytes of stack. If the stack is nearly used up, the release is left to the outermost release of the thread.
struct Destruction: BitwiseCopyable {
  /// Retained; nil as long as nothing is left. Not a reference, which is released also where it is nil. bench: subscribe + cancel
  private var rest: Unmanaged<Rest>?
  private final class Rest {
    @exclusivity(unchecked) var objects: [Unmanaged<AnyObject>] = []
  }

  @inline(__always)
  static func release(_ object: Unmanaged<some AnyObject>) {
    if destructionAddress() != nil { return nest(object.toOpaque()) }
    var outermost = Destruction(rest: nil)
    _withUnprotectedUnsafeMutablePointer(to: &outermost) { here in
      setDestructionAddress(here)
      object.release()
      if let rest = here.pointee.rest { finish(rest) }
      setDestructionAddress(nil)
    }
  }

  @inline(never)
  private static func nest(_ object: UnsafeMutableRawPointer) {
    let object = Unmanaged<AnyObject>.fromOpaque(object)
    guard isStackUsed, let outermost = destructionAddress()?.assumingMemoryBound(to: Destruction.self) else {
      return object.release()
    }
    let rest = outermost.pointee.rest ?? .passRetained(Rest())
    outermost.pointee.rest = rest
    rest._withUnsafeGuaranteedRef { $0.objects.append(object) }
  }
  @inline(never)
  private static func finish(_ rest: Unmanaged<Rest>) {
    let rest = rest.takeRetainedValue()
    while let next = rest.objects.popLast() { next.release() }
  }
}
