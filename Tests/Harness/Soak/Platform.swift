import Foundation
import Synchronization

/// Ends the program with a message where something is not as it should be.
func check(_ holds: Bool, _ message: @autoclosure () -> String, line: Int = #line, file: String = #fileID) {
  if holds { return }
  print("✘ \(message()) (\(file):\(line), \(Soak.place.withLock { $0 }))")
  exit(3)
}

/// Prints a line that is seen immediately, also in a file.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Nanoseconds of a clock that never goes back.
func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

/// Runs a closure on a thread of its own.
func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { ended in
    Thread.detachNewThread {
      body()
      ended.resume()
    }
  }
}

/// Blocks the thread, as code does that waits for a disk.
func stall(microseconds: Int) { usleep(UInt32(microseconds)) }

enum Memory {
  /// The bytes of the process that are resident, after the allocator has given back what is free; nil where the platform does
  /// not say so.
  static var resident: Int? { statistics?.resident }

  /// The resident memory, and the part of it that is pages of files: the code of the program and its libraries. The system drops
  /// and loads these pages as it likes.
  static var statistics: (resident: Int, ofFiles: Int)? {
    trim()
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let pages = text.split(separator: " ").compactMap { Int($0) }
    return pages.count > 2 ? (pages[1] * Int(getpagesize()), pages[2] * Int(getpagesize())) : nil
  }

  /// Fragments of free memory are no leak.
  private static func trim() {
    typealias Trim = @convention(c) (Int) -> CInt
    if let address = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(address, to: Trim.self)(0) }
  }

  /// The bytes that the program has allocated and not freed, as the allocator reports them; nil where it does not.
  static var allocated: Int? {
    typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt
    guard let address = dlsym(nil, "malloc_info"), let file = tmpfile() else { return nil }
    defer { fclose(file) }
    _ = unsafeBitCast(address, to: Report.self)(0, file)
    rewind(file)
    var buffer = [CChar](repeating: 0, count: 512)
    // The totals of all arenas come last.
    var (system, free, mapped) = (0, 0, 0)
    while fgets(&buffer, CInt(buffer.count), file) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if line.contains("<heap") { free = 0 }
      guard let size = line.components(separatedBy: "size=\"").last.flatMap({ Int($0.prefix { $0 != "\"" }) }) else {
        continue
      }
      if line.contains("<system type=\"current\"") { system = size }
      if line.contains("<total type=\"mmap\"") { mapped = size }
      if line.contains("<total type=\"fast\"") || line.contains("<total type=\"rest\"") {
        free = line.contains("fast") ? size : free + size
      }
    }
    return system + mapped - free
  }

  static func text(_ bytes: Int) -> String {
    bytes < 10_000
      ? "\(bytes) B" : bytes < 10_000_000 ? "\(bytes / 1000) KB" : "\(bytes / 1_000_000) MB"
  }
}

/// SplitMix64: the same decisions for the same seed.
struct Random: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64, _ part: Int) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: part) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
  mutating func isOne(in count: Int) -> Bool { number(below: count) == 0 }
}
