import Foundation
import Harness

@main
enum Bench {
  static func main() {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      report(error.message + "\n" + Options.usage)
      exit(2)
    }
    if options.help { return print(Options.usage) }
    if let file = options.from { return redraw(file, options) }
    if options.contention { return Contention.run(Cores.all().filter { Options.matches($0.name, options.only) }) }
    #if DEBUG
    report("This is a debug build: its figures mean nothing. Use -c release.")
    #endif

    let rows = wanted(options)
    if rows.isEmpty {
      let names = allRows(options).map { "  " + $0.name }
      report("No row is called that, or none has such a contender. There are:\n" + names.joined(separator: "\n"))
      exit(2)
    }
    if let load = System.load, load > Double(ProcessInfo.processInfo.activeProcessorCount) / 2 {
      let rounded = (load * 10).rounded() / 10
      report("Other programs are running (load \(rounded)): treat the ratios with care and ignore the nanoseconds.")
    }
    if !options.quick, options.count == nil, ProcessInfo.processInfo.activeProcessorCount > 1 {
      Processors.patience = 900
    }
    var measured: [Measured] = []
    let thresholds = Self.thresholds(options)
    var judged = thresholds.map { _ in Verdict?.none }
    for family in Runner.families(of: rows) {
      measured += runner(options).run(family)
      for (index, threshold) in thresholds.enumerated() where judged[index] == nil {
        guard threshold.figures.allSatisfy({ figure in measured.contains { $0.has(figure) } }) else { continue }
        let verdict = Verdict(threshold, in: measured)
        judged[index] = options.check ? judgeAgain(threshold, verdict, rows, options) : verdict
      }
    }
    // A partial run drops the verdicts without figures. In a full run, a missing figure is a failure.
    let verdicts = zip(thresholds, judged).map { $1 ?? Verdict($0, in: measured) }
      .filter { !options.isPartial || $0.outcome != .missing }
    Output(options).write(measured, options.count == nil ? verdicts : [])
    if let text = Processors.report { report(text) }
    if options.check { exit(verdicts.allSatisfy { $0.outcome == .pass || $0.outcome == .floor } ? 0 : 1) }
  }

  /// Measures a failed threshold again, at most twice. Other programs on the processor make ratios swing by a third for seconds;
  /// code that has become slower is slower three times. The repetition follows immediately. Later rows add and cancel a million
  /// handlers and fragment the heap, which then places a chain that fits no near cache worse.
  private static func judgeAgain(
    _ threshold: Threshold, _ first: Verdict, _ rows: [Row], _ options: Options
  ) -> Verdict {
    var verdict = first
    while verdict.outcome == .fail, verdict.kind == .ratio, verdict.attempts < 3 {
      let figures = Set(threshold.figures)
      let again = rows.map { row in row.keeping { figures.contains(Threshold.Figure($0, row.name)) } }
        .filter { !$0.trials.isEmpty }
      verdict = Verdict(threshold, in: runner(options).run(again), attempts: verdict.attempts + 1)
    }
    return verdict
  }

  private static func allRows(_ options: Options) -> [Row] {
    let quick = options.quick
    if options.growth { return Growth.rows(quick: quick) }
    return Machine.rows() + Emit.rows() + Dialects.rows() + Subscribe.rows() + Threads.rows() + Cores.rows()
      + Streams.rows(quick: quick) + StreamAlone.rows()
      + LastValue.rows(quick: quick) + Fairness.rows(quick: quick)
      + Hooks.rows() + ObservedRows.rows() + DerivedRows.rows() + Memory.rows(quick: quick)
      + Cancel.rows(quick: quick)
  }

  private static func thresholds(_ options: Options) -> [Threshold] {
    options.growth ? Growth.thresholds(quick: options.quick) : Thresholds.all
  }

  private static func wanted(_ options: Options) -> [Row] {
    let targets = Set(thresholds(options).flatMap(\.figures))
    return allRows(options).filter { Options.matches($0.name, options.only) }
      .map { row in
        row.keeping { contender in
          Options.matches(contender, options.contenders)
            && (!options.targets || targets.contains(Threshold.Figure(contender, row.name)))
        }
      }
      .filter { !$0.trials.isEmpty }
  }

  private static func runner(_ options: Options) -> Runner {
    let rounds = options.count != nil ? 1 : options.quick ? 3 : 15
    return Runner(rounds: rounds, sampleNanoseconds: options.quick ? 4e6 : 15e6, count: options.count) { text in
      Output.rewriteLine(text)
    }
  }

  private static func redraw(_ file: String, _ options: Options) {
    do {
      Output(options).draw(try Report(json: Data(contentsOf: URL(fileURLWithPath: file))))
    } catch {
      report("\(file) could not be read: \(error.localizedDescription)")
      exit(2)
    }
  }

  static func report(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
