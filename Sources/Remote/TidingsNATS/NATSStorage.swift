#if NATS
/// How the broker keeps events and values, where this process is the first to use them.
///
/// A stream or bucket that exists is used as it is: change it with the broker's own tools.
public struct NATSStorage: Sendable {
  var replicas: Int
  var newest: Int?
  var age: Duration?
  var duplicates: Duration
  var claimTimeout: Duration
  var bucket: String

  /// - Parameters:
  ///   - replicas: On how many servers of a cluster each message is kept: 1, 3 or 5.
  ///   - newest: How many messages of each kept event are kept; all unless given. Whether they have been handled does not count.
  ///   - age: For how long they are kept; for ever unless given.
  ///   - duplicates: For how long a message that is sent again under the same id is recognised. The broker keeps the ids in memory.
  ///   - claimTimeout: How long after the end of its process a claimed message is given to another. While a process lives it
  ///     renews its claims.
  ///   - bucket: The key-value bucket of the values. Each namespace may have one of its own.
  public init(
    replicas: Int = 1, newest: Int? = nil, age: Duration? = nil, duplicates: Duration = .seconds(120),
    claimTimeout: Duration = .seconds(10), bucket: String = "tidings"
  ) {
    (self.replicas, self.newest, self.age) = (replicas, newest.map { max(1, $0) }, age)
    (self.duplicates, self.bucket) = (duplicates, bucket)
    // A third of it is the pause between two renewals.
    self.claimTimeout = min(max(claimTimeout, .milliseconds(100)), .seconds(86_400))
  }
}
#endif
