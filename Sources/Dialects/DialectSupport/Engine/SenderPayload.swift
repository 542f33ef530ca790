import Tidings

/// A sender and its arguments, on their way to the handlers of an event: one size whatever their types.
///
/// For generic code that is compiled once for all types: there a payload of both would need a metadata look-up at run time,
/// and its parts would be copied for each handler. Unchecked, as `UncheckedSendable`: the caller asserts that they may cross
/// threads.
package enum SenderPayload<Sender, Args>: @unchecked Sendable {  // see above
  /// Their addresses, valid until the emit returns.
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
  /// Adds a handler of both parts that the event retains: the subscription may be dropped.
  package func keep<Sender, Args>(
    _ handler: @escaping @Sendable (Sender, Args) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription where Payload == SenderPayload<Sender, Args> {
    keep(unchecked: { $0.open(handler) }, file: file, line: line)
  }

  /// Calls every handler, in place, while the sender is alive. For `.immediate` events, which queue nothing.
  package func emit<Sender, Args>(
    from sender: Reference<Sender>, _ args: Args
  ) where Payload == SenderPayload<Sender, Args> {
    sender.withAddress { sender in
      withUnsafePointer(to: args) { args in
        emit(.borrowed(sender, args), isolation: nil)
      }
    }
  }

  /// Calls every handler from a job of `target`, and retains the sender until then. For `.serial` events.
  package func post<Sender, Args>(
    from sender: Reference<Sender>, _ args: Args, to target: DeliveryTarget
  ) where Payload == SenderPayload<Sender, Args> {
    sender.withAddress { post(.kept(.init($0.pointee, args)), to: target) }
  }
}
