import ClosureEvents
import Dispatch
import Testing
import TidingsTesting

// The original's programs in Swift 5 mode, as a client that moves over first compiles them: no actor, no Sendable.

public class TestSubject: NotifyPropertyChanged {
  public var name: String = "" {
    didSet { onPropertyChanged("name") }
  }
  public lazy var propertyChanged: PropertyChangedEvent = {
    return PropertyChangedEvent(sender: self)
  }()
}

class TestViewController {
  var subject = TestSubject()
  let labels: Recorder<String>
  init(labels: Recorder<String>) { self.labels = labels }

  func viewDidLoad() {
    subject.propertyChanged += propertyDidChange
    subject.propertyChanged += PropertyChangeClosure { self.wrappedOnTheFly(sender: $0, args: $1) }
  }

  lazy var propertyDidChange: PropertyChangeClosure = {
    return PropertyChangeClosure {
      [unowned self] sender, args in

      if args.propertyName == "name" {
        DispatchQueue.main.async {
          self.updateNameLabel()
        }
      }
    }
  }()
  func updateNameLabel() { labels(subject.name) }

  func wrappedOnTheFly(sender: Any, args: PropertyChangedEventArgs) {
    DispatchQueue.main.async {
      self.labels("wrapped " + self.subject.name)
    }
  }
}

class TickEventArgs: EventArgs {
  let count: Int
  var isRejected = false
  init(count: Int) { self.count = count }
}
class TickEvent: Event<Int, TickEventArgs>, @unchecked Sendable {}
class TickClosure: Closure<Int, TickEventArgs>, @unchecked Sendable {}

@Suite("ClosureEvents in Swift 5 mode", .timeLimit(.minutes(20)))
struct ClosureEventsSwift5Tests {
  @Test("A view controller follows the name of its subject")
  func viewController() async {
    let labels = Recorder<String>()
    let controller = TestViewController(labels: labels)
    controller.viewDidLoad()
    controller.subject.name = "Ada"
    #expect(await labels.values(atLeast: 2) == ["Ada", "wrapped Ada"])
    controller.subject.propertyChanged -= controller.propertyDidChange
  }

  @Test("Events and closures of one's own, with args that carry an answer back")
  func ownTypes() {
    let ticked = TickEvent(sender: 7, delivery: .immediate)
    let reject = TickClosure { sender, args in args.isRejected = sender == 7 && args.count > 1 }
    ticked += [reject, TickClosure { _, _ in }]
    let (first, second) = (TickEventArgs(count: 1), TickEventArgs(count: 2))
    ticked.invoke(with: first)
    ticked.invoke(with: second)
    ticked -= reject
    #expect(!first.isRejected)
    #expect(second.isRejected)
  }
}
