import Foundation
import Tidings
import TidingsInteractors

struct Account: Sendable {
  var name: String
  var password: String
}

/// The server. It knows which names are taken.
actor Server {
  struct Taken: LocalizedError {
    let name: String
    var errorDescription: String? { "\(name) is taken." }
  }
  private var names: Set = ["ada"]

  func check(_ name: String) throws {
    print("  the server is asked about", name)
    if names.contains(name) { throw Taken(name: name) }
  }
  func register(_ account: Account) {
    names.insert(account.name)
    print("  registered", account.name)
  }
}

/// The state of the form. It knows the text fields as `TextControl`, and no screen.
@MainActor final class LoginModel {
  let name: Interactor<String>
  let password: Interactor<String>
  let repeated: Interactor<String>
  let form: Form
  let canSubmit: Derived<Bool>
  /// Says what the user should correct first.
  let hint: Derived<String>
  let submitted = Event<Account>("login.submitted")
  private let account = Observed(Account(name: "", password: ""))

  init(_ fields: [MemoryTextControl], _ server: Server, pause: Duration = .milliseconds(300)) {
    name = Interactor(
      Projection(account).name, in: fields[0], as: .text(maximumLength: 20), committing: .explicitly,
      validators: [
        .require("A name has at least three letters.") { $0.count >= 3 },
        .later { name in
          // The next key cancels this task. So the server is asked once, when the user has stopped typing.
          try await Task.sleep(for: pause)
          try await server.check(name)
        },
      ])
    password = Interactor(
      Projection(account).password, in: fields[1], as: .text, committing: .explicitly,
      validators: [.require("A password has at least eight characters.") { $0.count >= 8 }])
    repeated = Interactor(Observed(""), in: fields[2], as: .text, committing: .explicitly)
    form = Form(name, password, repeated)
    let agree = Derived { [first = password.draft, second = repeated.draft] in first.value == second.value }
    canSubmit = Derived { [form] in form.isValid.value && agree.value }
    hint = Derived { [form] in
      if form.isChecking.value { return "Checking the name …" }
      if let explanation = form.explanations.value.first { return explanation }
      return agree.value ? "" : "The passwords differ."
    }
  }

  func submit() throws {
    guard canSubmit.value else { return }
    try form.commit()
    submitted.emit(account.value)
  }
}

let server = Server()
let fields = [MemoryTextControl(), MemoryTextControl(), MemoryTextControl()]
let login = LoginModel(fields, server)
login.submitted.observe(with: server) { server, account in server.register(account) }
let showing = [
  login.hint.observe(.initial) { change in print("  hint:", change.new) },
  login.canSubmit.observe(.initial) { change in print("  button:", change.new ? "enabled" : "disabled") },
]

print("- a name that is taken, key by key")
for key in ["a", "d", "a"] { fields[0].type(key) }
await login.form.idle()

print("- another one")
fields[0].selectAll()
fields[0].type("grace")
await login.form.idle()

print("- the password, twice")
fields[1].type("compilers")
fields[2].type("compiler")
fields[2].type("s")

print("- submit")
try login.submit()
await login.submitted.drained()
