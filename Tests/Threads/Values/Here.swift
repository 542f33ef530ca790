import Foundation
import TidingsTesting

/// The state of a thread of a trial, for closures that run on the thread and do not know it.
final class Here {
  /// Whether it is in a transaction of its own that has written: it alone sees that, upon what others write meanwhile.
  var isMid = false

  /// Nil on a thread that is not the trial's, like one that delivers for others.
  static var now: Here? {
    pthread_getspecific(key).map { Unmanaged<Here>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with a fresh one.
  static func with(_ body: (Here) -> Void) {
    let here = Here()
    pthread_setspecific(key, Unmanaged.passUnretained(here).toOpaque())
    body(here)
    pthread_setspecific(key, nil)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
}

/// The problems that any thread has found. The thread that asks stops at the first.
final class Problems: Sendable {
  private let box = Locked<[String]>([])

  var all: [String] { box.current }
  var isEmpty: Bool { box.withLock { $0.isEmpty } }

  func callAsFunction(_ problem: String) {
    box.withLock { if $0.count < 12 { $0.append(problem) } }
  }
}
