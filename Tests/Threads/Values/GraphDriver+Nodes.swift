import Tidings
import TidingsTesting

/// The nodes and handlers that are added and removed, and the notifications that are received.
extension GraphDriver {
  func makeSource() {
    let policy = GraphModel.Policy.allCases[random.number(below: 3)]
    let value = random.number(below: 7)
    held[model.count] = .source(Observed(value, changes: policy.ofLibrary))
    model.addSource(value, policy)
  }

  func makeDerived() {
    let formula = Formula.allCases[random.number(below: Formula.allCases.count)]
    if formula == .guarded || formula == .behindGuard { return makeGuarded() }
    // The younger ones are taken more often, so that it gets deep.
    let nodes = held.keys.sorted()
    let young = random.isOne(in: 2) ? nodes.suffix(4) : nodes[...]
    let inputs = (0..<formula.inputCount(&random)).map { _ in
      random.isOne(in: 3) ? nodes[random.number(below: nodes.count)] : Array(young)[random.number(below: young.count)]
    }
    let node = make(formula, inputs, inputs.compactMap { held[$0] })
    held[model.count - 1] = node
  }

  /// `isEmpty ? nil : first`, with all that it reads through derived values of its own.
  private func makeGuarded() {
    let origin = anyNode()
    guard let source = held[origin] else { return }
    let some = make(.isSome, [origin], [source])
    let someNumber = model.count - 1
    var inner = make(.behindGuard, [origin], [source])
    for _ in 0..<random.number(below: 3) { inner = make(.behindGuard, [model.count - 1], [inner]) }
    let node = make(.guarded, [someNumber, model.count - 1], [some, inner])
    held[model.count - 1] = node
    if random.isOne(in: 2) { held[someNumber] = some }
  }

  private func make(_ formula: Formula, _ inputs: [Int], _ nodes: [GraphNode]) -> GraphNode {
    let number = model.count
    model.addDerived(formula, inputs)
    log.append("\(number) is \(formula) of \(inputs)")
    return .derived(
      Derived { [unowned self, canary = canaries.make()] in
        canary.touch()
        var reads: [Int] = []
        let value = formula.value(of: nodes.count) { input in
          reads.append(inputs[input])
          return nodes[input].value
        }
        if formula == .behindGuard { expect(value > 0, "\(number) is computed after its guard") }
        hasComputed(number, reads)
        return value
      })
  }

  func drop() {
    let node = anyNode()
    guard held.keys.contains(where: { $0 != node && model.policy(of: $0) != nil }) else { return }
    log.append("drop \(node)")
    held[node] = nil
    // A source ends with its handlers; the token of a derived value keeps that.
    let isKept = model.policy(of: node) == nil && random.isOne(in: 2)
    observers.removeAll { observer in
      let ends = observer.node == node && !isKept
      if ends { observer.token?.cancel() }
      return ends
    }
  }

  func observe() {
    let node = anyNode()
    guard let value = held[node] else { return }
    let isWill = model.policy(of: node) != nil && notifications.isEmpty && random.isOne(in: 4)
    let initial = !isWill && random.isOne(in: 2)
    let before = model.state.values[node]
    let observer = Observer(node, nextObserver, isWill: isWill, since: before)
    nextObserver += 1
    log.append("observe \(node) as \(observer.number)\(isWill ? ", before" : "")\(initial ? ", initial" : "")")
    roots.insert(node)
    let receives: @Sendable (Change<Int>) -> Void = { [unowned self, weak observer] change in
      guard let observer else { return expect(false, "a handler of \(node) is called after its end") }
      received(observer, change)
    }
    observers.append(observer)
    if isWill {
      observer.token = value.asSource?.willChange.observe(receives)
    } else {
      observer.token = value.observe(initial: initial, receives)
    }
    let after = model.state.values[node]
    if observer.last == nil, before == after { observer.last = after }
    expect(
      observer.hasInitial == initial, "\(observer.number) of \(node): the initial value was delivered: \(!initial)")
  }

  /// Cancels a handler whose token is available: a handler that acts while another is being added has not got its token yet.
  func cancel() {
    let cancellable = observers.indices.filter { observers[$0].token != nil }
    guard !cancellable.isEmpty else { return }
    let observer = observers.remove(at: cancellable[random.number(below: cancellable.count)])
    log.append("cancel \(observer.number)")
    if random.isOne(in: 2) { observer.token?.cancel() } else { observer.token = nil }
    notifications.removeAll { $0.observer === observer }
  }

  private func received(_ observer: Observer, _ change: Change<Int>) {
    let (node, name) = (observer.node, "\(observer.number) of \(observer.node)")
    log.append("\(name) receives \(change.old.map { "\($0)" } ?? "nothing") to \(change.new)")
    expect(observers.contains { $0 === observer }, "\(name) is called after its end")
    guard let old = change.old else {
      let moments = [observer.since, model.state.values[node]]
      expect(observer.last == nil && moments.contains(change.new), "\(name): initially \(change.new)")
      observer.hasInitial = true
      observer.last = change.new
      return
    }
    if let last = observer.last {
      expect(old == last, "\(name): the chain is broken: \(last), then \(old) to \(change.new)")
    }
    observer.last = change.new
    notifications.append(Notification(observer: observer, old: old, new: change.new))
    if model.policy(of: node) == nil { expect(old != change.new, "\(name): notified of no difference") }
    // Before the change the library and the oracle are not at one.
    if handlersAct { return observer.isWill ? () : actInHandler() }
    if !observer.isWill, let now = held[node]?.value {
      expect(now == change.new, "\(name): received \(change.new), while it is \(now)")
    }
    if !observer.isWill, random.isOne(in: 3) { read() }
  }

  private func actInHandler() {
    guard allowance > 0, random.isOne(in: 3) else { return }
    allowance -= 1
    switch random.number(below: 6) {
    case 0..<3: write()
    case 3: observe()
    case 4: cancel()
    default: read()
    }
  }
}
