#if NATS
import Foundation
import Tidings

/// A thread that takes all elements that have been appended since it last looked. Its work may block.
final class WorkThread<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isClosed = false
    var ended: (@Sendable () -> Void)?
  }
  private let state = Lock(State())
  private let work = DispatchSemaphore(value: 0)

  init(_ name: String, _ body: @escaping @Sendable ([Element]) -> Void) {
    let thread = Thread { [self] in
      while true {
        work.wait()
        let (elements, isClosed) = state.withLock { state in
          defer { state.elements = [] }
          return (state.elements, state.isClosed)
        }
        if !elements.isEmpty { body(elements) }
        guard isClosed else { continue }
        return state.withLock { $0.ended }?() ?? ()
      }
    }
    thread.name = name
    thread.start()
  }

  /// False once the thread is closed; the element is then not taken.
  func append(_ element: Element) -> Bool {
    let isOpen = state.withLock { state in
      if state.isClosed { return false }
      state.elements.append(element)
      return true
    }
    if isOpen { work.signal() }
    return isOpen
  }

  /// The thread ends when it has taken what was appended, and then calls `ended`.
  func close(_ ended: @escaping @Sendable () -> Void = {}) {
    state.withLock { state in
      guard !state.isClosed else { return }
      (state.isClosed, state.ended) = (true, ended)
    }
    work.signal()
  }
}
#endif
