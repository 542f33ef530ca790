import ObservableSwift

/// An object whose name and friend can be observed.
final class Person {
  let first: String
  var last: Observable<String>
  var friend: Observable<Person?> = Observable(nil)
  init(_ first: String, _ last: String) {
    self.first = first
    self.last = Observable(last)
  }
}

/// A struct in which something can be observed.
struct Box { var number = Observable(0) }
