import Tidings

let names = ["Ada", "Alan", "Grace"]
let query = Observed("")
let found = Derived { names.filter { $0.hasPrefix(query.value) } }
let states = found.stream(.latest)
query.set("A")
query.set("Al")
for await names in states.prefix(1) { print(names) }
