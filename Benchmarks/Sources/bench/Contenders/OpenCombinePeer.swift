import OpenCombine

/// OpenCombine's subject and `sink`.
struct OpenCombinePeer: Cancelling, Shared, @unchecked Sendable {
  static let name = "OpenCombine PassthroughSubject"
  private let subject = PassthroughSubject<Int, Never>()

  func subscribe(_ tally: Tally) -> AnyCancellable { subject.sink { tally.add($0) } }
  func subscribe(_ watch: Watch) -> AnyCancellable { subject.sink { watch.receive($0) } }
  func cancel(_ token: AnyCancellable) { token.cancel() }
  func emit(_ payloads: Range<Int>) {
    for payload in payloads { subject.send(payload) }
  }
}
