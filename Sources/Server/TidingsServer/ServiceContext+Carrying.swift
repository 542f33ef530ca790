#if Server
import ServiceContextModule
import Tidings

/// Propagates the service context of a request with what is emitted for it, to handlers that another thread or task calls.
///
/// ```swift
/// carryServiceContext()  // once, when the program starts
/// ```
///
/// It is `carry(ServiceContext.$current)`, at most once in the process however many libraries of a program ask for it. Log
/// messages of a handler then name the request that caused them, and spans that a handler starts belong to it. See `carry(_:)`
/// for which handlers see which context, and what it costs.
public func carryServiceContext() { ServiceContextCarrying.once }

private enum ServiceContextCarrying {
  static let once: Void = carry(ServiceContext.$current)
}
#endif
