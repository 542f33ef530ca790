import Synchronization

extension HandlerList {
  /// Shows a list to an observer of objects: as numbers and addresses, without text, so that the lock is held briefly.
  ///
  /// - Parameter handler: Called under the list's lock for each live handler, in their order, with: the address of its
  ///   subscription; whether it is paused; how many values are queued for its actor or being handled there, or of a hook how
  ///   many calls run; how many values a bounded buffer has dropped; where it was added, which is nil in a release build.
  /// - Returns: How many values were delivered so far, or of a hook how many questions were put to handlers, which is not
  ///   counted for the handlers of values; and how many values wait in the event's own queue.
  package final func look(
    _ handler: (
      _ subscription: ObjectAddress, _ isPaused: Bool, _ waiting: Int, _ dropped: Int, _ file: StaticString?,
      _ line: UInt
    ) -> Void
  ) -> (delivered: UInt, waiting: Int) {
    state.withLock { state in
      for entry in entries(state) {
        Self.slot(of: entry)._withUnsafeGuaranteedRef { slot in
          let endpoint = slot.endpoint
          let subscription = slot.subscription!
          subscription._withUnsafeGuaranteedRef {
            var (file, line) = (nil as StaticString?, 0 as UInt)
            #if DEBUG
            (file, line) = ($0.registration.site.file, $0.registration.site.line)
            #endif
            handler(
              ObjectAddress(bitPattern: subscription.toOpaque()), $0.registration.isPaused, endpoint?.waiting ?? 0,
              endpoint?.dropped ?? 0, file, line)
          }
        }
      }
      return (delivered.load(ordering: .relaxed), state.serial.queue.count)
    }
  }
}
