import CSystem

/// The figures that the harness reads from the system.
public enum System {
  /// Bytes allocated on the heap now, the allocator's headers and rounding included; nil where it does not report them.
  public static var heapBytes: Int? { known(bench_heap_bytes()) }

  /// Bytes of memory that the process holds now; nil where the system does not report it.
  public static var residentBytes: Int? { known(bench_resident_bytes()) }

  /// How many threads wanted a processor over the last minute; nil where the system does not report it.
  public static var load: Double? {
    let load = bench_load()
    return load < 0 ? nil : load
  }

  /// The name that the processor reports; nil if the system does not report it.
  public static var processor: String? {
    var name = [UInt8](repeating: 0, count: 128)
    let length = name.withUnsafeMutableBytes { bench_processor($0.baseAddress, Int32($0.count)) }
    return length > 0 ? String(decoding: name.prefix(Int(length)), as: UTF8.self) : nil
  }

  private static func known(_ bytes: Int64) -> Int? { bytes < 0 ? nil : Int(bytes) }
}
