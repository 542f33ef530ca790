import CHeap

/// The process's heap.
public enum Heap {
  /// What is allocated now, the allocator's headers and rounding included; nil where it does not tell.
  public static var bytesInUse: Int? {
    let bytes = heap_bytes_in_use()
    return bytes < 0 ? nil : Int(bytes)
  }
}
