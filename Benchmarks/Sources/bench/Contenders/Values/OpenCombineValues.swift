import OpenCombine

/// The subject that keeps its value; `scan` adds the old value, which the subject does not deliver.
enum CurrentValueSubjectPeer: ValueContender {
  static let name = "OpenCombine CurrentValueSubject + scan"
  typealias Subject = CurrentValueSubject<Int, Never>

  private static func subject(handlers: Int, _ tally: Tally) -> (Subject, [AnyCancellable]) {
    let subject = Subject(0)
    let changes = subject.scan((old: 0, new: 0)) { (old: $0.new, new: $1) }
    return (subject, (0..<handlers).map { _ in changes.sink { tally.add($0.old &+ $0.new) } })
  }

  static func set(_ handlers: Int, _ tally: Tally) -> Loop {
    let (subject, tokens) = subject(handlers: handlers, tally)
    return { payloads in
      for payload in payloads { subject.send(payload) }
      withExtendedLifetime(tokens) {}
    }
  }

  static func update(_ tally: Tally) -> Loop {
    let (subject, tokens) = subject(handlers: 1, tally)
    return { payloads in
      for _ in payloads { subject.value &+= 1 }
      withExtendedLifetime(tokens) {}
    }
  }

  static func read(_ tally: Tally) -> Loop {
    let subject = Subject(7)
    return { payloads in
      for _ in payloads { tally.add(subject.value) }
    }
  }

  static func setFour(_ tally: Tally) -> Loop {
    let subjects = (0..<4).map { _ in subject(handlers: 1, tally) }
    let (a, b, c, d) = (subjects[0].0, subjects[1].0, subjects[2].0, subjects[3].0)
    return { payloads in
      for payload in payloads {
        a.send(payload)
        b.send(payload &* 2)
        c.send(payload &* 3)
        d.send(payload &* 4)
      }
      withExtendedLifetime(subjects) {}
    }
  }
}

/// `map`, and `zip` where two values meet. OpenCombine has no `combineLatest`, which would notify twice of a diamond. `zip` waits
/// for one value of each. That is right and without a glitch only because every value changes every time here.
enum OpenCombineOperators: DerivingContender {
  static let name = "OpenCombine, map and zip"
  private typealias Values = AnyPublisher<Int, Never>

  static func diamond(_ tally: Tally) -> Loop {
    let source = CurrentValueSubject<Int, Never>(0)
    let left = source.map { $0 &+ 1 }
    let right = source.map { $0 &* 2 }
    return loop(source, [left.zip(right) { $0 &+ $1 }.sink { tally.add($0) }])
  }

  static func wide(_ count: Int, _ tally: Tally) -> Loop {
    let source = CurrentValueSubject<Int, Never>(0)
    return loop(source, (0..<count).map { place in source.map { $0 &+ place }.sink { tally.add($0) } })
  }

  static func deep(_ depth: Int, _ tally: Tally) -> Loop {
    let source = CurrentValueSubject<Int, Never>(0)
    var top = source.map { $0 &+ 1 }.eraseToAnyPublisher()
    for _ in 1..<depth { top = top.map { $0 &+ 1 }.eraseToAnyPublisher() }
    return loop(source, [top.sink { tally.add($0) }])
  }

  /// Shared, or each layer would compute all below it again. From subjects that keep no value: the second subscriber of what
  /// is shared would miss the first one, and `zip` then pair wrongly.
  static func cellx(_ layers: Int, _ tally: Tally) -> Loop {
    let sources = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    var last = sources.map { $0.eraseToAnyPublisher() }
    var tokens: [AnyCancellable] = []
    for _ in 0..<layers {
      let (a, b, c, d) = (last[0], last[1], last[2], last[3])
      last = [
        b.map { $0 }.share().eraseToAnyPublisher(),
        a.zip(c) { $0 &- $1 }.share().eraseToAnyPublisher(),
        b.zip(d) { $0 &+ $1 }.share().eraseToAnyPublisher(),
        c.map { $0 }.share().eraseToAnyPublisher(),
      ]
      tokens += last.map { $0.sink { tally.add($0) } }
    }
    return { [tokens] payloads in
      for payload in payloads {
        for place in sources.indices { sources[place].send(payload &* (place &+ 1)) }
      }
      withExtendedLifetime(tokens) {}
    }
  }

  /// A publisher cannot be read; a subject that receives it can.
  static func read(_ tally: Tally) -> Loop {
    let source = CurrentValueSubject<Int, Never>(6)
    let next = CurrentValueSubject<Int, Never>(0)
    let token = source.map { $0 &+ 1 }.sink { next.send($0) }
    return { payloads in
      for _ in payloads { tally.add(next.value) }
      withExtendedLifetime(token) {}
    }
  }

  private static func loop(_ source: CurrentValueSubject<Int, Never>, _ tokens: [AnyCancellable]) -> Loop {
    { payloads in
      for payload in payloads { source.send(payload) }
      withExtendedLifetime(tokens) {}
    }
  }
}
