import Foundation
import Harness

/// The outputs of the figures: a table for people, JSON, charts.
struct Output {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func write(_ measured: [Measured], _ verdicts: [Verdict]) {
    Self.rewriteLine("")
    var text = options.targets ? "" : Table.rows(measured)
    if !verdicts.isEmpty { text += (text.isEmpty ? "" : "\n") + Table.verdicts(verdicts) }
    // If JSON is written to standard output, the table is written to standard error.
    if options.json == .standardOutput { Bench.report(text) } else { print(text) }
    if options.json == .no && options.charts == nil { return }
    let report = Report(measured, checks: verdicts)
    attempt("The JSON could not be written") {
      switch options.json {
      case .no: break
      case .standardOutput: FileHandle.standardOutput.write(try report.json() + Data("\n".utf8))
      case .file(let path): try report.json().write(to: URL(fileURLWithPath: path))
      }
    }
    draw(report)
  }

  func draw(_ report: Report) {
    guard let folder = options.charts.map({ URL(fileURLWithPath: $0, isDirectory: true) }) else { return }
    attempt("The charts could not be written") {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for chart in Chart.all(of: report) {
        try Data(chart.svg.utf8).write(to: folder.appendingPathComponent(chart.name + ".svg"))
      }
    }
  }

  private func attempt(_ failure: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      Bench.report("\(failure): \(error.localizedDescription)")
      exit(2)
    }
  }

  /// A line that rewrites itself, for people only.
  static func rewriteLine(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
  }
}
