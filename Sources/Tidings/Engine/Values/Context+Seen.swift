// What the code of clients uses of a context: names for the parts of `seen`.
extension Context {
  /// The snapshot while a closure is being computed there, reads are noted, and nothing is out of the ordinary: a value that
  /// has a record there is read without further question. Else 0.
  @_alwaysEmitIntoClient
  var quick: UInt {
    @inline(__always) get { seen.quick }
    @inline(__always) set { seen.quick = newValue }
  }
  /// The address of the graph in which this thread is pinned, or was last, or of one that was merged into that.
  @_alwaysEmitIntoClient
  var graph: UInt {
    @inline(__always) get { seen.graph }
    @inline(__always) set { seen.graph = newValue }
  }
  /// The snapshot at which this thread is pinned; 0 when it is not.
  @_alwaysEmitIntoClient
  var snapshot: UInt {
    @inline(__always) get { seen.snapshot }
    @inline(__always) set { seen.snapshot = newValue }
  }
  @_alwaysEmitIntoClient
  var readEnd: UnsafeMutablePointer<Read> {
    @inline(__always) get { seen.readEnd }
    @inline(__always) set { seen.readEnd = newValue }
  }
  @_alwaysEmitIntoClient
  var readLimit: UnsafeMutablePointer<Read> {
    @inline(__always) get { seen.readLimit }
    @inline(__always) set { seen.readLimit = newValue }
  }
  /// How many rounds of notifying are under way, one inside the other: they notify the notifications there is when they end.
  @_alwaysEmitIntoClient
  var notifying: Int {
    @inline(__always) get { seen.notifying }
    @inline(__always) set { seen.notifying = newValue }
  }
  @_alwaysEmitIntoClient
  var isInTransaction: Bool {
    @inline(__always) get { seen.isInTransaction }
    @inline(__always) set { seen.isInTransaction = newValue }
  }
  /// A `set` is more than a commit: it belongs to a transaction, or is made by the closure of an `update`.
  @_alwaysEmitIntoClient
  var needsCare: Bool {
    @inline(__always) get { seen.needsCare }
    @inline(__always) set { seen.needsCare = newValue }
  }
}
