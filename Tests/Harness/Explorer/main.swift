// Explores the interleavings of small scenarios; see Tests/Harness/README.md.
//
//   swift run --package-path Tests/Harness --scratch-path .build-explored -Xswiftc -DTIDINGS_EXPLORED explore
//     [--limit N] [--bound N] [--only WORD] [--seed N] [--part K/N] [--until-violation] [--weak]
//
// `--weak`: preempted threads may have stored what others do not see yet; see `Interleaver`.
// `--seconds`: shared evenly; a scenario that needs less than its share leaves the rest to those that follow.
// A part is every Nth scenario: a process runs one thread at a time, so each processor is given a part.
#if TIDINGS_EXPLORED
import Foundation
@testable import Tidings

let arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String) -> String? {
  arguments.firstIndex(of: "--" + name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}
let seed = option("seed").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
let exploration = Exploration(
  interleaver: interleaver, bound: option("bound").flatMap(Int.init) ?? 2,
  limit: option("limit").flatMap(Int.init) ?? 5_000, seed: seed)
let only = option("only") ?? ""
let part = option("part").map { $0.split(separator: "/").compactMap { Int($0) } } ?? [1, 1]
guard part.count == 2, part[1] > 0, (1...part[1]).contains(part[0]) else {
  print("--part K/N: the scenarios K, K + N, K + 2 N …, with K from 1 to N")
  exit(2)
}
interleaver.isWeak = arguments.contains("--weak")
print(
  "interleavings: seed \(seed), all with \(exploration.bound) preemptions or \(exploration.limit) and as many by chance"
)

// Reports are what some scenarios provoke; a handler keeps them from standard error.
let reports = Diagnostics.reports.observe { _ in }
var (count, hasFailed) = (0, false)
func report(_ line: String) {
  print(line)
  fflush(nil)
}
let chosen = Scenario.all.filter { only.isEmpty || $0.name.contains(only) }
let mine = stride(from: part[0] - 1, to: chosen.count, by: part[1]).map { chosen[$0] }
let (start, seconds) = (ContinuousClock.now, option("seconds").flatMap(Double.init))
for (number, scenario) in mine.enumerated() {
  let began = ContinuousClock.now
  let deadline = seconds.map { start + .seconds($0 * Double(number + 1) / Double(mine.count)) }
  let result = exploration.explore(scenario, until: deadline)
  count += result.count
  let seconds = (ContinuousClock.now - began).components.seconds
  let scope =
    "\(result.count) interleavings of \(result.mostPoints) steps, all with \(result.exhausted) preemptions, \(seconds) s"
  guard let (text, first, schedule) = result.violation else {
    report("✔ \(scenario.name): \(scope)")
    continue
  }
  hasFailed = true
  let preemptions = schedule.map {
    "to \($0.thread) at \($0.point)" + ($0.delay == 0 ? "" : " with stores delayed (\($0.delay))")
  }.joined(separator: ", ")
  report(
    "✘ \(scenario.name): \(text); from thread \(first), \(preemptions.isEmpty ? "not preempted" : preemptions); \(scope)"
  )
  if arguments.contains("--until-violation") { exit(1) }
  // Threads that are stuck cannot be used again.
  if text == "deadlock" || text.hasPrefix("no end") { exit(1) }
}
reports.cancel()
report("\(count) interleavings, \(hasFailed ? "violations" : "no violation")")
exit(hasFailed ? 1 : 0)
#else
print(
  "Explores a test build: "
    + "swift run --package-path Tests/Harness --scratch-path .build-explored -Xswiftc -DTIDINGS_EXPLORED explore")
#endif
