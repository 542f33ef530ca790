import Foundation

/// The origin of the prices.
struct Source {
  private let input: Arguments.Input

  init(_ input: Arguments.Input) { self.input = input }

  /// For sentences.
  var name: String {
    switch input {
    case .file(let path): path.debugDescription
    case .standardInput: "standard input"
    case .shippedPrices: "the shipped file"
    }
  }

  /// The whole input. Bytes that are no UTF-8 become replacement characters, which are in no valid row.
  func text() throws -> String {
    let bytes: Data
    switch input {
    case .file(let path):
      bytes = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd() ?? Data()
    case .standardInput:
      bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    case .shippedPrices:
      bytes = try Data(contentsOf: Self.shippedFile)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static var shippedFile: URL {
    get throws {
      guard let file = Bundle.module.url(forResource: "stocks", withExtension: "csv") else {
        throw CocoaError(.fileNoSuchFile)
      }
      return file
    }
  }

  /// The system's own words for what went wrong, such as `No such file or directory`.
  static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let system = [underlying, error as NSError].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
    return system.map { String(cString: strerror(Int32($0.code))) } ?? error.localizedDescription
  }
}
