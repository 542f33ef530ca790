/// The right to deliver, with the handlers there were when it was claimed.
@usableFromInline
struct Claim: BitwiseCopyable {
  let table: UInt
  let count: Int
}

/// The result of an attempt to claim the delivery of a payload.
enum QueueingClaim {
  case claimed(Claim)
  /// Another call delivers the payload.
  case queued
  /// No call delivers: the caller is to call `deliverRest` later.
  case postponed
}
