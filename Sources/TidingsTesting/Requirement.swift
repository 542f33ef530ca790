/// A feature that a type must have for a law to be checked on it.
enum Requirement: String, Sendable {
  case nothing
  case actors = "handlers on actors"
  case failures = "handlers that fail"
  case finish = "`finish`"
  case lifetimes = "handlers that end by themselves"
  case limit = "limit to cycles"
  case once = "handlers for one call"
  case threads = "use from several threads"

  func isMet<Source, Token>(by type: EventUnderTest<Source, Token>) -> Bool {
    switch self {
    case .nothing: true
    case .actors: type.addOnActor != nil
    case .failures: type.addThrowing != nil
    case .finish: type.finish != nil && type.isThreadSafe
    case .lifetimes: type.dropCancels || type.addOnce != nil || type.addWithOwner != nil
    case .limit: type.maximumDepth != nil
    case .once: type.addOnce != nil
    case .threads: type.isThreadSafe
    }
  }
}
