import TidingsTesting

/// Does the same random things to any world, as far as it behaves the same.
///
/// The actions of a handler depend on the seed, its number and the count of its calls. So a world that calls a different handler
/// gives a different log, and nothing else differs.
final class Driver {
  /// The actions and receipts of the current step.
  private(set) var log: [String] = []
  private let world: any World
  private let seed: UInt64
  private let eventCount: Int
  private var eventNumbers: [Int]
  private var nextEvent: Int
  private var owners: [Int] = []
  private var nextOwner = 0
  private var busyOwners: [Int: Int] = [:]
  private var ownerOf: [Int: Int] = [:]
  private var held: [Int] = []
  private var nextHandler = 0
  private var nextValue = 0
  private var callCounts: [Int: Int] = [:]
  private var allowance = 0

  init(_ world: any World, seed: UInt64, eventCount: Int = 3) {
    self.world = world
    self.seed = seed
    self.eventCount = eventCount
    eventNumbers = Array(0..<eventCount)
    nextEvent = eventCount
    for event in eventNumbers { world.makeEvent(event) }
    world.receives = { [unowned self] in receives($0, $1) }
  }

  /// The handlers whose tokens are held.
  var tokens: [Int] { held }

  /// One thing, with all that handlers do in consequence.
  func step(_ number: Int) {
    log = []
    allowance = 8
    var random = SplitMix64(seed, number, 1)
    act(&random)
  }

  private func receives(_ handler: Int, _ value: Int) {
    log.append("\(handler) receives \(value)")
    let count = callCounts[handler, default: 0]
    callCounts[handler] = count + 1
    var random = SplitMix64(seed, handler, count + 2)
    guard allowance > 0, random.isOne(in: 3) else { return }
    allowance -= 1
    let owner = ownerOf[handler]
    if let owner { busyOwners[owner, default: 0] += 1 }
    act(&random)
    if random.isOne(in: 3) { act(&random) }
    if let owner { busyOwners[owner, default: 0] -= 1 }
    log.append("\(handler) has received \(value)")
  }

  private func act(_ random: inout SplitMix64) {
    let event = eventNumbers[random.number(below: eventCount)]
    switch random.number(below: 100) {
    case 0..<34:
      nextValue += 1
      log.append("emit \(nextValue) on \(event)")
      world.emit(nextValue, on: event)
    case 34..<48: add(to: event, random.isOne(in: 4) ? .viewed : .plain)
    case 48..<54: add(to: event, .once)
    case 54..<62:
      if owners.isEmpty || random.isOne(in: 3) { makeOwner() }
      add(to: event, .owned(owners[random.number(below: owners.count)]))
    case 62..<70: withToken(&random, "cancel") { world.cancel($0) }
    case 70..<78: withToken(&random, "pause") { world.pause($0) }
    case 78..<90: withToken(&random, "resume") { world.resume($0) }
    case 90..<94:
      withToken(&random, "drop") { handler in
        held.removeAll { $0 == handler }
        world.drop(handler)
      }
    case 94..<97: endOwner(&random)
    case 97:
      log.append("cancelAll \(event)")
      world.cancelAll(event)
    case 98: replace(event)
    default:
      for _ in 0..<3 {
        nextValue += 1
        log.append("emit \(nextValue) on \(event)")
        world.emit(nextValue, on: event)
      }
    }
  }

  private func add(to event: Int, _ kind: HandlerKind) {
    let handler = nextHandler
    nextHandler += 1
    log.append("add \(handler) to \(event), \(kind)")
    if case .owned(let owner) = kind { ownerOf[handler] = owner }
    held.append(handler)
    world.add(handler, to: event, kind)
  }

  private func withToken(_ random: inout SplitMix64, _ verb: String, _ body: (Int) -> Void) {
    guard !held.isEmpty else { return }
    // The younger ones are more likely to matter.
    let handler =
      random.isOne(in: 2)
      ? held[random.number(below: held.count)] : held[held.count - 1 - random.number(below: min(8, held.count))]
    log.append("\(verb) \(handler)")
    body(handler)
  }

  private func makeOwner() {
    owners.append(nextOwner)
    world.makeOwner(nextOwner)
    nextOwner += 1
  }

  /// A running call holds its owner, and for how long is the compiler's choice: such owners stay.
  private func endOwner(_ random: inout SplitMix64) {
    guard !owners.isEmpty else { return }
    let owner = owners[random.number(below: owners.count)]
    guard busyOwners[owner, default: 0] == 0 else { return }
    log.append("owner \(owner) ends")
    owners.removeAll { $0 == owner }
    world.endOwner(owner)
  }

  private func replace(_ event: Int) {
    log.append("event \(event) ends")
    world.endEvent(event)
    world.makeEvent(nextEvent)
    eventNumbers = eventNumbers.map { $0 == event ? nextEvent : $0 }
    nextEvent += 1
  }
}
