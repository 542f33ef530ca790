import Tidings

/// Decodes bytes into writes, undos and redos beside an oracle, and stops where they differ.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHistory(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = ByteReader(UnsafeRawBufferPointer(start: start, count: count))
  let machine = HistoryMachine()
  while !bytes.isEmpty {
    let problem = machine.step { bytes.number(below: $0) }
    expect(problem == nil, "\(problem ?? "") after \(machine.operations.suffix(12).joined(separator: ", "))")
  }
  return 0
}
