import ClosureEvents
import Dispatch
import Testing
import TidingsTesting

// The programs that "Observers, Events and Closures" shows, with a view controller in place of UIKit's: isolated to the main
// actor, as that is.

private final class TestSubject: NotifyPropertyChanged {
  var name = "" { didSet { onPropertyChanged("name") } }
  var size = 0 { didSet { onPropertyChanged("size") } }
  lazy var propertyChanged = PropertyChangedEvent(sender: self)
}

@MainActor
private final class TestViewController {
  let subject = TestSubject()
  private let labels: Recorder<String>
  init(_ labels: Recorder<String>) { self.labels = labels }

  func viewDidLoad() { subject.propertyChanged += propertyDidChange }
  func viewWillDisappear() { subject.propertyChanged -= propertyDidChange }

  lazy var propertyDidChange: PropertyChangeClosure = {
    PropertyChangeClosure { [weak self] sender, args in
      if args.propertyName == "name" {
        DispatchQueue.main.async { self?.updateNameLabel() }
      }
    }
  }()
  private func updateNameLabel() { labels(subject.name) }
}

/// A method wrapped on the fly: its class must be Sendable, as one of the main actor is, and the method must not need the actor.
@MainActor
private final class OtherViewController {
  let subject = TestSubject()
  private let labels: Recorder<String>
  init(_ labels: Recorder<String>) { self.labels = labels }

  func viewDidLoad() { subject.propertyChanged += PropertyChangeClosure(closure: propertyDidChange) }

  nonisolated func propertyDidChange(sender: Any, args: PropertyChangedEventArgs) {
    if args.propertyName == "name" {
      DispatchQueue.main.async { self.labels(self.subject.name) }
    }
  }
}

@Suite("The original's programs", .timeLimit(.minutes(20)))
@MainActor
struct SeedProgramTests {
  let labels = Recorder<String>()

  @Test("A view controller follows the name of its subject, and not its size, until it stops")
  func viewController() async {
    let controller = TestViewController(labels)
    controller.viewDidLoad()
    controller.subject.size = 3
    controller.subject.name = "Ada"
    #expect(await labels.values(atLeast: 1) == ["Ada"])
    controller.viewWillDisappear()
    controller.subject.name = "Grace"
    controller.viewDidLoad()
    controller.subject.name = "Alan"
    #expect(await labels.values(atLeast: 2) == ["Ada", "Alan"])
  }

  @Test("A method wrapped on the fly follows it too")
  func wrappedOnTheFly() async {
    let controller = OtherViewController(labels)
    controller.viewDidLoad()
    controller.subject.name = "Ada"
    #expect(await labels.values(atLeast: 1) == ["Ada"])
  }

  @Test("Without a queue in the closure: the event delivers on the main actor itself")
  func onTheMainActor() async {
    let subject = MainSubject()
    subject.propertyChanged += PropertyChangeClosure { [labels] sender, args in
      guard let subject = sender as? MainSubject else { return }
      MainActor.assumeIsolated { labels(subject.name) }
    }
    subject.name = "Ada"
    #expect(await labels.values(atLeast: 1) == ["Ada"])
  }
}

@MainActor
private final class MainSubject: @MainActor NotifyPropertyChanged {
  var name = "" { didSet { onPropertyChanged("name") } }
  lazy var propertyChanged = PropertyChangedEvent(sender: self, delivery: .main)
}
