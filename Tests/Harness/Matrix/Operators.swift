import Tidings

/// The model of an operator: it turns the values of its source into others, one after the other.
final class Stage {
  /// The stage passes these values on for a value of its source, and for a value of the second one.
  var accept: (Int) -> [Int]
  var acceptSecond: (Int) -> [Int] = { _ in [] }
  var initial: [Int] = []
  /// Whether the stage ends with its source, if that ends now.
  var endsWithSource: () -> Bool = { true }
  /// Whether the stage has passed its last value on.
  var isComplete: () -> Bool = { false }

  init(_ accept: @escaping (Int) -> [Int]) { self.accept = accept }
}

/// An operator, or a way of using one, that turns numbers into numbers.
enum Operator: String, CaseIterable, Sendable {
  case map, compactMap, filter, mapKeyPath, scan, scanInto, removeDuplicates, removeDuplicatesBy, prefix, prefixWhile
  case dropFirst, pairwise, collect, handleEvents, startWith, flatMapOne, flatMapLiving, livingFlatMap, switchToLatest
  case share, replay, mergeEnded, mergeLiving, livingMerge, zipLiving, zipSelf, withLatest, withLatestUnknown
  case dropWhile, prefixUntil, flatMapEach

  /// Whether several subscriptions have one of it.
  var isShared: Bool { self == .share || self == .replay }
  /// Whether each value selects a source that gives one value when it is selected.
  var selectsSourceOfOneValue: Bool { self == .flatMapOne || self == .flatMapEach || self == .switchToLatest }
  /// Whether it has a second source, which lives on.
  var hasSecond: Bool {
    switch self {
    case .flatMapLiving, .livingFlatMap, .mergeLiving, .livingMerge, .zipLiving, .withLatest, .withLatestUnknown,
      .prefixUntil:
      true
    default: false
    }
  }
  /// Whether it lets emissions overlap that overlap at its source.
  var passesOverlapping: Bool {
    switch self {
    case .map, .compactMap, .filter, .mapKeyPath, .handleEvents: true
    default: false
    }
  }

  func over(_ source: some EventSource<Int>, _ second: Event<Int>) -> any EventSource<Int> {
    switch self {
    case .map: source.map { $0 &* 2 }
    case .compactMap: source.compactMap { $0 % 3 == 0 ? nil : $0 }
    case .filter: source.filter { $0 % 4 != 0 }
    case .mapKeyPath: source.map(\.byteSwapped)
    case .scan: source.scan(0) { $0 &+ $1 }
    case .scanInto: source.scan(into: 0) { $0 ^= $1 }
    case .removeDuplicates: source.map { $0 / 2 }.removeDuplicates()
    case .removeDuplicatesBy: source.removeDuplicates { $0 / 2 == $1 / 2 }
    case .prefix: source.prefix(3)
    case .prefixWhile: source.prefix { $0 < 5 }
    case .dropFirst: source.dropFirst(2)
    case .pairwise: source.pairwise().map { $0 &* 1_000 &+ $1 }
    case .collect: source.collect(2).map { $0[0] &* 1_000 &+ $0[1] }
    case .handleEvents: source.handleEvents(onValue: { _ in })
    case .startWith: source.startWith(-1, -2)
    case .flatMapOne: source.flatMapLatest { One(value: $0) }
    case .flatMapLiving: source.flatMapLatest { _ in second }
    case .livingFlatMap: second.startWith(0).flatMapLatest { [source] _ in source }
    case .switchToLatest: source.map { One(value: $0) }.switchToLatest()
    case .share: source.share()
    case .replay: source.replay(2)
    case .mergeEnded: source.merge(Event<Int>.finished)
    case .mergeLiving: source.merge(second)
    case .livingMerge: second.merge(source)
    case .zipLiving: source.zip(second.startWith(70, 80)).map { $0 &* 1_000 &+ $1 }
    case .zipSelf: source.zip(source.map { 0 &- $0 }).map { $0 &* 1_000 &+ $1 }
    case .withLatest: source.withLatest(from: second.startWith(50)).map { $0 &* 1_000 &+ $1 }
    case .withLatestUnknown: source.withLatest(from: second).map { $0 &* 1_000 &+ $1 }
    case .flatMapEach: source.flatMap { One(value: $0) }
    case .dropWhile: source.drop { $0 < 3 }
    case .prefixUntil: source.prefix(until: second)
    }
  }

  var stage: Stage {
    switch self {
    case .map: return Stage { [$0 &* 2] }
    case .compactMap: return Stage { $0 % 3 == 0 ? [] : [$0] }
    case .filter: return Stage { $0 % 4 != 0 ? [$0] : [] }
    case .mapKeyPath: return Stage { [$0.byteSwapped] }
    case .scan:
      var sum = 0
      return Stage {
        sum &+= $0
        return [sum]
      }
    case .scanInto:
      var sum = 0
      return Stage {
        sum ^= $0
        return [sum]
      }
    case .removeDuplicates, .removeDuplicatesBy:
      var last: Int?
      return Stage { value in
        if last == value / 2 { return [] }
        last = value / 2
        return [self == .removeDuplicates ? value / 2 : value]
      }
    case .prefix:
      var left = 3
      let stage = Stage { value in
        left -= 1
        return left >= 0 ? [value] : []
      }
      stage.isComplete = { left <= 0 }
      return stage
    case .prefixWhile:
      var isOver = false
      let stage = Stage { value in
        isOver = isOver || value >= 5
        return isOver ? [] : [value]
      }
      stage.isComplete = { isOver }
      return stage
    case .dropFirst:
      var left = 2
      return Stage { value in
        left -= 1
        return left >= 0 ? [] : [value]
      }
    case .pairwise, .collect:
      var last: Int?
      return Stage { value in
        let old = last
        last = self == .collect && old != nil ? nil : value
        return old.map { [$0 &* 1_000 &+ value] } ?? []
      }
    case .handleEvents, .share, .flatMapOne, .flatMapEach, .switchToLatest, .mergeEnded: return Stage { [$0] }
    case .startWith:
      let stage = Stage { [$0] }
      stage.initial = [-1, -2]
      return stage
    case .replay: return Stage { [$0] }  // what a late subscription receives first is with the model of the chain
    case .flatMapLiving:
      var isSelected = false
      let stage = Stage { _ in
        isSelected = true
        return []
      }
      stage.acceptSecond = { isSelected ? [$0] : [] }
      stage.endsWithSource = { !isSelected }
      return stage
    case .livingFlatMap:
      // A value of the second source selects the source anew.
      let stage = Stage { [$0] }
      stage.endsWithSource = { false }
      return stage
    case .mergeLiving, .livingMerge:
      let stage = Stage { [$0] }
      stage.acceptSecond = { [$0] }
      stage.endsWithSource = { false }
      return stage
    case .zipLiving:
      var (first, second, hasEnded) = ([Int](), [70, 80], false)
      func pairs() -> [Int] {
        first.isEmpty || second.isEmpty ? [] : [first.removeFirst() &* 1_000 &+ second.removeFirst()]
      }
      let stage = Stage {
        first.append($0)
        return pairs()
      }
      stage.acceptSecond = {
        second.append($0)
        return pairs()
      }
      stage.endsWithSource = {
        hasEnded = true
        return first.isEmpty
      }
      stage.isComplete = { hasEnded && first.isEmpty }
      return stage
    case .zipSelf: return Stage { [$0 &* 1_000 &- $0] }
    case .withLatest, .withLatestUnknown:
      var latest = self == .withLatest ? 50 : nil
      let stage = Stage { value in latest.map { [value &* 1_000 &+ $0] } ?? [] }
      stage.acceptSecond = {
        latest = $0
        return []
      }
      return stage
    case .dropWhile:
      var isDropping = true
      return Stage { value in
        isDropping = isDropping && value < 3
        return isDropping ? [] : [value]
      }
    case .prefixUntil:
      var isOver = false
      let stage = Stage { isOver ? [] : [$0] }
      stage.acceptSecond = { _ in
        isOver = true
        return []
      }
      stage.isComplete = { isOver }
      return stage
    }
  }
}

extension Event {
  fileprivate static var finished: Event {
    let event = Event()
    event.finish()
    return event
  }
}

/// A source of which each handler receives one value when it is attached.
struct One: EventSource {
  let value: Int
  func attach(_ handler: EventHandler<Int>) -> Subscription { Event<Int>().startWith(value).attach(handler) }
}
