// Runs the cells of the contract's matrix; see Tests/Harness/README.md.
//
//   matrix [--pairs] [--part K/N] [--only "WORD …"] [--violations N] [--until-violation] [--trace]
//   matrix --table
//
// `--pairs`: every operator behind every other as well. `--only`: the cells whose names have these words. `--trace`: what is seen.
// `--table`: the tables of the page *Contract*.
import Foundation
import Tidings

let arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String) -> String? {
  arguments.firstIndex(of: "--" + name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}

VirtualPool.install()
carry(Locals.$carried)
// Some cells provoke reports.
let reports = Diagnostics.reports.observe { _ in }

if arguments.contains("--table") {
  Table.print()
  exit(0)
}

let only = option("only").map { $0.split(separator: " ").map(String.init) } ?? []
let limit = option("violations").flatMap(Int.init) ?? 20
var chains: [[Operator]] = [[]] + Operator.allCases.map { [$0] }
if arguments.contains("--pairs") {
  for first in Operator.allCases { chains += Operator.allCases.map { [first, $0] } }
}
// A part is every Nth chain.
let part = option("part").map { $0.split(separator: "/").compactMap { Int($0) } } ?? [1, 1]
chains = stride(from: part[0] - 1, to: chains.count, by: part[1]).map { chains[$0] }
var (count, violations) = (0, 0)
var failing: [String: Int] = [:]
for chain in chains {
  for source in SourceKind.allCases {
    for handler in HandlerKind.allCases {
      for act in Act.allCases {
        for moment in Moment.allCases {
          let cell = Cell(source: source, chain: chain, handler: handler, act: act, moment: moment)
          guard cell.inapplicability == nil else { continue }
          if !only.isEmpty {
            let parts = Set(cell.description.split(separator: ".").map(String.init))
            guard only.allSatisfy({ parts.contains($0) }) else { continue }
          }
          count += 1
          let found = cell.violations(isTracing: arguments.contains("--trace"))
          if found.isEmpty { continue }
          violations += 1
          if arguments.contains("--until-violation") {
            print("✘ \(cell): \(found[0])")
            exit(1)
          }
          if violations <= limit { print("✘ \(cell)\n    " + found.joined(separator: "\n    ")) }
          for part in [
            "\(source) source", "chain \(chain)", "\(handler)", "act \(act)", "\(moment)", "\(act) \(moment)",
          ] {
            failing[part, default: 0] += 1
          }
        }
      }
    }
  }
}
print("\(count) cells, \(violations) violate the contract")
if violations > 0 {
  for (part, count) in failing.sorted(by: { $0.value > $1.value }).prefix(40) { print("  \(count) \(part)") }
  exit(1)
}
