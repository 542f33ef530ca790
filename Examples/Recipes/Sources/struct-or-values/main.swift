import Tidings

struct Address: Sendable, Equatable {
  var (name, street, city, country) = ("Ada", "St James's Square", "London", "GB")
  var (zip, phone, floor, isBusiness) = ("SW1", "1", 2, false)
}

/// One value: what is read together is written together.
final class Form: Sendable {
  let address = Observed(Address(), changes: .distinct)
}

/// Eight values: each has handlers of its own.
final class Fields: Sendable {
  let (name, street, city, country) = (
    Observed("Ada"), Observed("St James's Square"), Observed("London"), Observed("GB")
  )
  let (zip, phone, floor, isBusiness) = (Observed("SW1"), Observed("1"), Observed(2), Observed(false))
}

let (form, fields) = (Form(), Fields())
var calls = (whole: 0, member: 0, field: 0)
let subscriptions = [
  form.address.observe { _ in calls.whole += 1 },
  form.address.city.observe { _ in calls.member += 1 },
  fields.city.observe { _ in calls.field += 1 },
]

// Ten changes, of which one is of the city.
for floor in 3..<12 {
  form.address.update { $0.floor = floor }
  fields.floor.set(floor)
}
form.address.update { $0.city = "Paris" }
fields.city.set("Paris")
print("handlers of the whole, of the member, of the field:", calls.whole, calls.member, calls.field)

// Two changes as one: a struct in an update, several values in a transaction.
form.address.update { address in
  address.city = "Rome"
  address.country = "IT"
}
transaction {
  fields.city.set("Rome")
  fields.country.set("IT")
}

/// The shortest of five, in nanoseconds.
@MainActor func nanoseconds(_ body: (Int) -> Void) -> Int {
  let (clock, count) = (ContinuousClock(), 100_000)
  let shortest = (0..<5).map { _ in clock.measure { for index in 0..<count { body(index) } } }.min()!
  return Int(shortest / .nanoseconds(1)) / count
}
@inline(never) func use<Value>(_ value: Value) {}

@MainActor func measure() {
  let quiet = [form.address.floor.observe { _ in }, fields.floor.observe { _ in }]
  let whole = nanoseconds { index in form.address.update { $0.floor = index } }
  let field = nanoseconds { index in fields.floor.set(index) }
  print("ns to change one member that is observed:", whole, "in the struct,", field, "as a value")
  let one = nanoseconds { _ in use(form.address.value) }
  let eight = nanoseconds { _ in
    use((fields.name.value, fields.street.value, fields.city.value, fields.country.value))
    use((fields.zip.value, fields.phone.value, fields.floor.value, fields.isBusiness.value))
  }
  print("ns to read all eight:", one, "as the struct,", eight, "as values")
  withExtendedLifetime(quiet) {}
}

for subscription in subscriptions { subscription.cancel() }
if CommandLine.arguments.contains("--measure") { measure() }
