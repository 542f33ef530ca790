import Foundation
import Harness

@main
enum Bench {
  static func main() {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      tell(error.message + "\n" + Options.usage)
      exit(2)
    }
    if options.help { return print(Options.usage) }
    #if DEBUG
    tell("This is a debug build: its figures mean nothing. Use -c release.")
    #endif

    let rows = allRows(quick: options.quick).filter { Options.matches($0.name, options.only) }
      .map { row in row.keeping { Options.matches($0, options.contenders) } }
    if rows.isEmpty {
      let names = allRows(quick: options.quick).map { "  " + $0.name }
      tell("No row is called that. There are:\n" + names.joined(separator: "\n"))
      exit(2)
    }
    if let load = System.load, load > Double(ProcessInfo.processInfo.activeProcessorCount) / 2 {
      let rounded = (load * 10).rounded() / 10
      tell("Something else runs here (load \(rounded)): believe the ratios with care, the nanoseconds not at all.")
    }
    let measured = runner(options).run(rows)
    let verdicts = Thresholds.all.map { Verdict($0, in: measured) }
    report(measured, options.check ? verdicts : [], options)
    if options.check { exit(passed(verdicts, partial: options.isPartial) ? 0 : 1) }
  }

  private static func allRows(quick: Bool) -> [Row] {
    Machine.rows() + Emit.rows() + Dialects.rows() + Subscribe.rows() + Threads.rows() + Streams.rows(quick: quick)
      + LastValue.rows(quick: quick)
      + Hooks.rows() + ObservedRows.rows() + DerivedRows.rows() + Memory.rows(quick: quick)
      + Cancel.rows(quick: quick)
  }

  private static func runner(_ options: Options) -> Runner {
    let rounds = options.count != nil ? 1 : options.quick ? 3 : 15
    return Runner(rounds: rounds, sampleNanoseconds: options.quick ? 4e6 : 15e6, count: options.count) { text in
      // A line that rewrites itself, for people only.
      if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }
  }

  private static func report(_ measured: [Measured], _ verdicts: [Verdict], _ options: Options) {
    if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    var text = Table.rows(measured)
    if !verdicts.isEmpty { text += "\n" + Table.verdicts(verdicts) + "\n" }
    // Where JSON takes standard output, the table goes beside it.
    if options.json == .standardOutput { tell(text) } else { print(text) }
    do {
      let data = try options.json == .no ? Data() : Report(measured, checks: verdicts).json()
      switch options.json {
      case .no: break
      case .standardOutput: FileHandle.standardOutput.write(data + Data("\n".utf8))
      case .file(let path): try data.write(to: URL(fileURLWithPath: path))
      }
    } catch {
      tell("The JSON could not be written: \(error.localizedDescription)")
      exit(2)
    }
  }

  /// A figure that is missing fails too, unless only some rows were asked for.
  private static func passed(_ verdicts: [Verdict], partial: Bool) -> Bool {
    verdicts.allSatisfy { $0.outcome == .pass || (partial && $0.outcome == .missing) }
  }

  private static func tell(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
