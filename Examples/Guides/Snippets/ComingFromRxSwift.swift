import Tidings

let email = Observed("")
let password = Observed("")
let isValid = Derived { email.value.contains("@") && password.value.count >= 8 }
let shown = isValid.observe(.initial) { change in print("can log in:", change.new) }
email.set("ada@example.com")
password.set("analytical")
