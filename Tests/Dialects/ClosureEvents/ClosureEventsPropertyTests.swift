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

@Suite("ClosureEvents: NotifyPropertyChanged", .timeLimit(.minutes(20)))
struct ClosureEventsPropertyTests {
  let received = Recorder<String>()

  @Test("A change is delivered with the property's name or its key path, one of several with neither")
  func nameOrKeyPath() {
    let account = Account()
    account.propertyChanged += PropertyChangeClosure { [received] _, args in
      let paths = [\Account.balance: "balance", \Account.limit: "limit"] as [AnyKeyPath: String]
      received("\(args.propertyName ?? "-") \(args.keyPath.map { paths[$0] ?? "another" } ?? "-")")
    }
    account.owner = "Ada"
    account.balance = 1
    account.limit = 1
    account.reset()
    #expect(received.values == ["owner -", "- balance", "- limit", "- -"])
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
