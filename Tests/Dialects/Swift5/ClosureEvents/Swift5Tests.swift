import ClosureEvents
import Dispatch
import Testing
import TidingsTesting

// The same programs in Swift 5 mode, as a client that moves over first compiles them: no actor, no Sendable.

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

  func viewDidLoad() { subject.propertyChanged += propertyDidChange }

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
}

class OtherViewController {
  var subject = TestSubject()
  let labels: Recorder<String>
  init(labels: Recorder<String>) { self.labels = labels }

  func viewDidLoad() {
    subject.propertyChanged += PropertyChangeClosure { self.propertyDidChange(sender: $0, args: $1) }
  }

  func propertyDidChange(sender: Any, args: PropertyChangedEventArgs) {
    if args.propertyName == "name" {
      DispatchQueue.main.async {
        self.labels(self.subject.name)
      }
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

@Suite("In Swift 5 mode", .timeLimit(.minutes(20)))
struct Swift5Tests {
  let labels = Recorder<String>()

  @Test("A view controller follows the name of its subject")
  func viewController() async {
    let controller = TestViewController(labels: labels)
    controller.viewDidLoad()
    controller.subject.name = "Ada"
    #expect(await labels.values(atLeast: 1) == ["Ada"])
    controller.subject.propertyChanged -= controller.propertyDidChange
  }

  @Test("A method, wrapped on the fly in a closure")
  func wrappedOnTheFly() async {
    let controller = OtherViewController(labels: labels)
    controller.viewDidLoad()
    controller.subject.name = "Ada"
    #expect(await labels.values(atLeast: 1) == ["Ada"])
  }

  @Test("Events and closures of one's own, with args that carry an answer back")
  func ownTypes() {
    let ticked = TickEvent(sender: 7, delivery: .immediate)
    let reject = TickClosure { sender, args in args.isRejected = sender == 7 && args.count > 1 }
    let other = TickClosure { _, _ in }
    ticked += [reject, other]
    let (first, second) = (TickEventArgs(count: 1), TickEventArgs(count: 2))
    ticked.invoke(with: first)
    ticked.invoke(with: second)
    ticked -= reject
    #expect(!first.isRejected)
    #expect(second.isRejected)
    #expect(reject != other)
  }
}
