import ClosureEvents
import Testing
import TidingsTesting

private final class Account: NotifyPropertyChanged {
  var owner = "" { didSet { onPropertyChanged("owner") } }
  var balance = 0 { didSet { onPropertyChanged(\.balance) } }
  var limit = 0 { didSet { onPropertyChanged(\.limit) } }
  lazy var propertyChanged = PropertyChangedEvent(sender: self, delivery: .immediate)
  func reset() { propertyChanged.invoke(with: .allProperties) }
}
private final class Door: NotifyPropertyChanged {
  var isOpen = false { didSet { onPropertyChanged("isOpen") } }
  lazy var propertyChanged = PropertyChangedEvent(sender: self, delivery: .immediate)
}

@Suite("NotifyPropertyChanged")
struct PropertyChangedTests {
  let received = Recorder<String>()

  @Test("A change is delivered with the property's name")
  func byName() {
    let account = Account()
    account.propertyChanged += PropertyChangeClosure { [received] _, args in received(args.propertyName ?? "nil") }
    account.owner = "Ada"
    #expect(received.values == ["owner"])
  }

  @Test("A change is delivered with its key path, which has no name")
  func byKeyPath() {
    let account = Account()
    account.propertyChanged += PropertyChangeClosure { [received] _, args in
      received("\(args.keyPath == \Account.balance) \(args.keyPath == \Account.limit) \(args.propertyName ?? "nil")")
    }
    account.balance = 1
    account.limit = 1
    #expect(received.values == ["true false nil", "false true nil"])
  }

  @Test("A change by name has no key path; one of several has neither")
  func neither() {
    let account = Account()
    account.propertyChanged += PropertyChangeClosure { [received] _, args in
      received("\(args.propertyName ?? "nil") \(args.keyPath == nil)")
    }
    account.owner = "Ada"
    account.reset()
    #expect(received.values == ["owner true", "nil true"])
    #expect(PropertyChangedEventArgs.allProperties.propertyName == nil)
  }

  @Test("One closure follows objects of several types")
  func severalTypes() {
    let (account, door) = (Account(), Door())
    let closure = PropertyChangeClosure { [received] sender, args in
      received("\(type(of: sender)).\(args.propertyName ?? "nil")")
    }
    let subjects: [any NotifyPropertyChanged] = [account, door]
    for subject in subjects { subject.propertyChanged += closure }
    account.owner = "Ada"
    door.isOpen = true
    for subject in subjects { subject.propertyChanged -= closure }
    door.isOpen = false
    #expect(received.values == ["Account.owner", "Door.isOpen"])
  }

  @MainActor
  @Test("A property of the main actor is delivered with its key path, in the background")
  func mainActorKeyPath() async {
    @MainActor final class Form: @MainActor NotifyPropertyChanged {
      var title = "" { didSet { onPropertyChanged(\.title) } }
      lazy var propertyChanged = PropertyChangedEvent(sender: self)
    }
    let form = Form()
    let paths = Recorder<Bool>()
    let titled: AnyKeyPath = \Form.title
    form.propertyChanged += PropertyChangeClosure { [hash = titled.hashValue] _, args in
      paths(args.keyPath?.hashValue == hash)
    }
    form.title = "Name"
    #expect(await paths.values(atLeast: 1) == [true])
  }
}
