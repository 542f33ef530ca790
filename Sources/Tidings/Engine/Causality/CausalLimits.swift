/// The limits of causal chains and of what one thread does for others: of events, values and hooks alike.
enum CausalLimits {
  /// The causal depth beyond which a value is rejected where values queue, unless a program sets another.
  static var queued: Int { 10_000 }
  /// The same where deliveries nest on the stack. The smallest stack in wide use has 512 KB. A level takes about 0.5 KB; in a debug
  /// build up to 2.5 KB, for which it is too much, as it is for smaller stacks. So what is left of the stack is asked as well.
  static var nested: Int { 200 }
  /// How many notifications of values may be on the stack of a thread, one inside the other. A level takes 4 KB in a
  /// debug build, so of 512 KB this leaves the handlers more than half.
  static var nestedNotifications: Int { 32 }
  /// Values down to this depth are a fan-out, however many wait.
  static var shallow: Int { 16 }
  /// The number of deeper values of one chain that may wait.
  static var width: Int { 1 << 16 }
  /// The number of values of other threads that a thread delivers before it leaves the rest to a task. Without this limit one
  /// `emit` or `set` could deliver for all others for ever.
  static var round: Int { 1_024 }
}
