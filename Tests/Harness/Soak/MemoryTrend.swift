/// Whether memory grows: what is resident in the second tenth of the time, after the warm-up, and in the last tenth.
///
/// The median of each: a single round may be measured while a thread that has done its work still has its stack.
struct MemoryTrend {
  private struct Window {
    var (resident, ofFiles, allocated): ([Int], [Int], [Int]) = ([], [], [])
    static func median(_ numbers: [Int]) -> Int { numbers.sorted()[numbers.count / 2] }

    mutating func add(_ sample: Sample) {
      resident.append(sample.resident)
      ofFiles.append(sample.ofFiles)
      allocated.append(sample.allocated)
    }
    var medians: Sample {
      Sample(
        resident: Self.median(resident), ofFiles: Self.median(ofFiles), allocated: Self.median(allocated))
    }
  }
  struct Sample: CustomStringConvertible {
    var (resident, ofFiles, allocated) = (0, 0, 0)
    var description: String {
      "\(Memory.text(resident)) resident, \(Memory.text(ofFiles)) of them of files, \(Memory.text(allocated)) allocated"
    }
  }

  let seconds: Int
  private var (first, last, largest) = (Window(), Window(), 0)

  init(seconds: Int) { self.seconds = seconds }

  /// Measures after a round; nil where the platform does not say what is resident.
  mutating func measure(at elapsed: Int) -> Sample? {
    guard let now = Memory.statistics else { return nil }
    let sample = Sample(resident: now.resident, ofFiles: now.ofFiles, allocated: Memory.allocated ?? 0)
    largest = max(largest, sample.resident)
    if elapsed * 10 >= seconds, elapsed * 10 < seconds * 2 || first.resident.isEmpty { first.add(sample) }
    if elapsed * 10 >= seconds * 9 { last.add(sample) }
    return sample
  }

  func checkIsFlat() {
    if first.resident.isEmpty || last.resident.isEmpty { return say("memory is not measured on this platform") }
    let (first, last) = (first.medians, last.medians)
    say("after the warm-up: \(first)")
    say("at the end:        \(last); at most \(Memory.text(largest)) resident")
    // Queues and graphs keep the largest capacity that they ever needed, which still grows for an hour.
    check(
      last.allocated <= first.allocated * 105 / 100 + 2_000_000,
      "what is allocated grew from \(first.allocated) to \(last.allocated) bytes")
    // For some minutes the fragments of the allocator still grow; what is in use does not.
    let limit = first.resident * 105 / 100 + (seconds < 600 ? 8_000_000 : 0)
    check(last.resident <= limit, "memory grew from \(first.resident) to \(last.resident) bytes")
  }
}
