import ClosureEvents
import Dispatch
import Testing
import TidingsTesting

// The code of the documentation comments and the migration page, line by line, with a `print` whose output the tests can read.

private let printed = Printed()
private func print(_ items: Any...) { printed.note(items) }

@Suite("ClosureEvents: what the documentation shows", .serialized, .timeLimit(.minutes(20)))
struct ClosureEventsDocumentationTests {
  struct Tick: EventArgs { let count: Int }
  final class Closing: EventArgs { var isRejected = false }
  struct Renamed: EventArgs {}

  final class Clock {
    let name = "tower"
    lazy var ticked = Event<Clock, Tick>(sender: self)
    func tick() { ticked.invoke(with: Tick(count: 1)) }
  }
  final class Door {}
  final class Window {}

  final class Account: NotifyPropertyChanged {
    var owner = "" { didSet { onPropertyChanged("owner") } }
    lazy var propertyChanged = PropertyChangedEvent(sender: self)
  }

  enum ByKeyPath {
    final class Account: NotifyPropertyChanged {
      var owner = "" { didSet { onPropertyChanged(\.owner) } }
      lazy var propertyChanged = PropertyChangedEvent(sender: self)
    }
  }

  @MainActor final class MainAccount: @MainActor NotifyPropertyChanged {
    var owner = "" { didSet { onPropertyChanged("owner") } }
    lazy var propertyChanged = PropertyChangedEvent(sender: self, delivery: .main)
    private(set) var label = ""
    func updateLabel() {
      label = owner
      print(label)
    }
    nonisolated func propertyDidChange(sender: Any, args: PropertyChangedEventArgs) {
      if args.propertyName == "owner" { Task { @MainActor in updateLabel() } }
    }
  }

  private let lines = printed.start()

  @Test("Closures and events")
  func events() async {
    let clock = Clock()
    do {
      let show: EventClosure<Clock, Tick> = { clock, tick in print(clock.name, tick.count) }
      show(clock, Tick(count: 5))
    }
    let log = Closure<Clock, Tick> { clock, tick in print("log") }
    do {
      let show = Closure<Clock, Tick> { clock, tick in print(clock.name, tick.count) }
      clock.ticked += show
      clock.ticked -= show
      clock.ticked += [show, log]
      clock.tick()
      _ = await lines.values(atLeast: 3)
      clock.ticked -= [show, log]
    }
    do {
      let show = Closure<Clock, Tick> { clock, tick in print(tick.count) }
      clock.ticked += show
      clock.tick()
    }
    #expect(await lines.values(atLeast: 4) == ["tower 5", "tower 1", "log", "1"])
  }

  @Test("Deliveries and args")
  func deliveries() async {
    let (clock, window, door, account) = (Clock(), Window(), Door(), Account())
    let ticked = Event<Clock, Tick>(sender: clock)
    let closing = Event<Window, Closing>(sender: window, delivery: .immediate)
    let renamed = Event<Account, Renamed>(sender: account, delivery: .main)
    let opened = Event<Door, EmptyArgs>(sender: door)
    let ask = Closure<Window, Closing> { _, question in question.isRejected = true }
    let log = Closure<Window, Closing> { _, question in print("asked", question.isRejected) }
    closing += [ask, log]
    let question = Closing()
    closing.invoke(with: question)
    if question.isRejected { print("it stays open") }
    ticked += Closure { _, _ in print("ticked") }
    ticked.invoke(with: Tick(count: 1))
    _ = await lines.values(atLeast: 3)
    renamed += Closure { _, _ in print("renamed") }
    renamed.invoke(with: Renamed())
    _ = await lines.values(atLeast: 4)
    opened += Closure { _, _ in print("opened") }
    opened.invoke(with: EmptyArgs())
    #expect(
      await lines.values(atLeast: 5) == ["asked true", "it stays open", "ticked", "renamed", "opened"])
    withExtendedLifetime((clock, window, door, account)) {}
  }

  @Test("Properties by name")
  func byName() async {
    let account = Account()
    let show = PropertyChangeClosure { sender, args in
      if args.propertyName == "owner" { print("another owner") }
    }
    account.propertyChanged += show
    account.owner = "Ada"
    #expect(await lines.values(atLeast: 1) == ["another owner"])
    account.propertyChanged -= show
    account.propertyChanged += PropertyChangeClosure { sender, args in print(args.propertyName ?? "several") }
    account.propertyChanged.invoke(with: .allProperties)
    #expect(await lines.values(atLeast: 2) == ["another owner", "several"])
  }

  @Test("Properties by key path")
  func byKeyPath() async {
    typealias Account = ByKeyPath.Account
    let account = Account()
    account.propertyChanged += PropertyChangeClosure { _, args in
      if args.keyPath == \Account.owner { print("another owner") }
    }
    account.owner = "Ada"
    #expect(await lines.values(atLeast: 1) == ["another owner"])
  }

  @MainActor
  @Test("On the main actor")
  func onTheMainActor() async {
    let account = MainAccount()
    account.propertyChanged += PropertyChangeClosure { sender, args in
      guard let account = sender as? MainAccount else { return }
      MainActor.assumeIsolated { print(account.owner) }
    }
    account.owner = "Ada"
    #expect(await lines.values(atLeast: 1) == ["Ada"])
    let other = MainAccount()
    other.propertyChanged += PropertyChangeClosure(closure: other.propertyDidChange)
    other.owner = "Grace"
    #expect(await lines.values(atLeast: 2) == ["Ada", "Grace"])
  }

  /// The original's view controller, in Swift 6 mode: isolated to the main actor, as UIKit's is.
  @MainActor final class ViewController {
    let subject = Account()
    func viewDidLoad() { subject.propertyChanged += propertyDidChange }
    func viewWillDisappear() { subject.propertyChanged -= propertyDidChange }
    lazy var propertyDidChange: PropertyChangeClosure = {
      PropertyChangeClosure { [weak self] sender, args in
        if args.propertyName == "owner" {
          DispatchQueue.main.async { self?.updateLabel() }
        }
      }
    }()
    private func updateLabel() { print(subject.owner) }
  }

  @MainActor
  @Test("The original's view controller follows its subject until it stops")
  func viewController() async {
    let controller = ViewController()
    controller.viewDidLoad()
    controller.subject.owner = "Ada"
    #expect(await lines.values(atLeast: 1) == ["Ada"])
    controller.viewWillDisappear()
    controller.subject.owner = "Grace"
    controller.viewDidLoad()
    controller.subject.owner = "Alan"
    #expect(await lines.values(atLeast: 2) == ["Ada", "Alan"])
  }
}
