// One program of checks, which the script beside it runs under the faults of a machine; see README.md.
//
//   faults load [--threads N] [--values N] [--stack BYTES] [--children N]
//   faults depth --stack BYTES
//   faults exhaust|bounded --megabytes N

let arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String, _ usual: Int) -> Int {
  guard let place = arguments.firstIndex(of: "--" + name), place + 1 < arguments.count else { return usual }
  return Int(arguments[place + 1]) ?? usual
}
switch arguments.first {
case "load":
  let load = Load(
    threads: option("threads", 8), values: option("values", 2_000), stack: option("stack", 1 << 19),
    children: option("children", 0))
  await load.run()
case "depth": Depth.run(stack: option("stack", 1 << 19))
case "exhaust": Memory.exhaust(megabytes: option("megabytes", 1_000))
case "bounded": await Memory.bounded(megabytes: option("megabytes", 1_000))
default:
  print("faults load|depth|exhaust|bounded")
  exit(2)
}
