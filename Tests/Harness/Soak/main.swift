// A mixed load on all cores for as long as asked, with injected trouble; see README.md.
//
//   soak [--minutes N | --seconds N] [--seed N] [events] [streams] [values] [hooks] [products] [relays]
//        [dialects]
//   soak --growth [--subscriptions N] [--values N] [--megabytes N]
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String) -> Int? {
  guard let place = arguments.firstIndex(of: "--" + name), place + 1 < arguments.count else { return nil }
  return Int(arguments[place + 1])
}
let loads = ["events", "streams", "values", "hooks", "products", "relays", "dialects"]
let names = ["minutes", "seconds", "seed", "growth", "subscriptions", "values", "megabytes"].map { "--" + $0 }
for argument in arguments where Int(argument) == nil && !(names + loads).contains(argument) {
  print("soak [--minutes N | --seconds N] [--seed N] [\(loads.joined(separator: "] ["))]")
  print("soak --growth [--subscriptions N] [--values N] [--megabytes N]")
  exit(2)
}
if arguments.contains("--growth") {
  await Growth.run(
    subscriptions: option("subscriptions") ?? 10_000_000, values: option("values") ?? 1_000_000,
    megabytes: option("megabytes") ?? 1_000)
} else {
  let seconds = option("seconds") ?? (option("minutes") ?? 1) * 60
  await Soak(seed: UInt64(option("seed") ?? 1), seconds: seconds, only: loads.filter(arguments.contains)).run()
}
