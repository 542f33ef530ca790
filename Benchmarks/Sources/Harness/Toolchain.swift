import Foundation

/// The compiler, which no program can ask for: what the `swift` of this environment calls itself.
enum Toolchain {
  static var version: String? {
    #if os(macOS) || os(Linux)
    let swift = Process()
    let output = Pipe()
    swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    swift.arguments = ["swift", "--version"]
    swift.standardOutput = output
    swift.standardError = FileHandle.nullDevice
    do { try swift.run() } catch { return nil }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    swift.waitUntilExit()
    return said.split(separator: "\n").first { $0.contains("Swift version") }.map(String.init)
    #else
    return nil
    #endif
  }
}
