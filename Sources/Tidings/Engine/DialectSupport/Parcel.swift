/// A sender and what it tells, on their way to the handlers of an event: one size whatever they are.
///
/// For generic code that is compiled once for all types: there a payload made of the two would have to be looked up at run
/// time, and its parts copied for each handler. They cross threads on the word of whoever sends, as with `Carried`.
package enum Parcel<Sender, Args>: @unchecked Sendable {  // see above
  /// Where they stand, for as long as whoever emits waits.
  case borrowed(UnsafePointer<Sender>, UnsafePointer<Args>)
  case kept(Contents)

  package final class Contents {
    fileprivate let sender: Sender
    fileprivate let args: Args
    fileprivate init(_ sender: Sender, _ args: Args) {
      self.sender = sender
      self.args = args
    }
  }

  @inline(__always)
  fileprivate func open(_ call: (Sender, Args) -> Void) {
    switch self {
    case .borrowed(let sender, let args): lend(sender) { sender in lend(args) { args in call(sender, args) } }
    case .kept(let contents): call(contents.sender, contents.args)
    }
  }
}

extension Event {
  /// Adds a handler of both parts, that the event keeps: the subscription may be dropped.
  package func keep<Sender, Args>(
    _ handler: @escaping @Sendable (Sender, Args) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription where Payload == Parcel<Sender, Args> {
    keep(unchecked: { $0.open(handler) }, file: file, line: line)
  }

  /// Tells every handler, in place, while the sender lives. For `.immediate` events, which keep nothing for later.
  package func emit<Sender, Args>(
    from sender: Reference<Sender>, _ args: Args
  ) where Payload == Parcel<Sender, Args> {
    sender.withAddress { sender in
      withUnsafePointer(to: args) { args in
        delivery.emit(.borrowed(sender, args), Passage(here: nil, ticket: nil))
      }
    }
  }

  /// Tells every handler from a job of `target`, and keeps the sender until then. For `.serial` events.
  package func post<Sender, Args>(
    from sender: Reference<Sender>, _ args: Args, to target: DeliveryTarget
  ) where Payload == Parcel<Sender, Args> {
    sender.withAddress { delivery.post(.kept(.init($0.pointee, args)), to: target) }
  }
}
