import Testing

@testable import Tidings

@Suite("Storage of nodes")
struct NodeStoreTests {
  private static let sizes = [NodeStore.size(withHome: false), NodeStore.size(withHome: true)]

  @Test(
    "No slot is given to two, and what was given back is used again before a new slab is asked for", arguments: sizes)
  func noSlotTwice(_ size: Int) {
    var store = NodeStore()
    #expect(store.take() == nil)
    // The second slab comes while there are slots: two threads may find simultaneously that no slot is free.
    let slabs = [NodeStore.Slab(of: size), NodeStore.Slab(of: size)]
    defer { for slab in slabs { slab.first.deallocate() } }
    store.add(slabs[0])
    let first = store.take()!
    store.add(slabs[1])
    var slots = [first]
    while let slot = store.take() { slots.append(slot) }
    #expect(slots.count == 2 * slabs[0].count && Set(slots).count == slots.count)
    let sorted = slots.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= size })

    for slot in slots { store.giveBack(slot) }
    var again: Set<UnsafeMutableRawPointer> = []
    while let slot = store.take() { again.insert(slot) }
    #expect(again == Set(slots))
  }

  @Test("Slots of a slab are given side by side, each at the start of a cache line", arguments: sizes)
  func sideBySide(_ size: Int) {
    let slab = NodeStore.Slab(of: size)
    defer { slab.first.deallocate() }
    var store = NodeStore()
    store.add(slab)
    var slots: [UnsafeMutableRawPointer] = []
    while let slot = store.take() { slots.append(slot) }
    #expect(zip(slots, slots.dropFirst()).allSatisfy { $1 - $0 == size })
    #expect(slots.allSatisfy { UInt(bitPattern: $0) % 64 == 0 })
  }

  @Test("A thread that is given back what others took keeps a bounded number of each size", arguments: [false, true])
  func keptByThread(_ home: Bool) {
    var (taking, keeping) = (NodeSlots(), NodeSlots())
    for _ in 0..<8 * NodeSlots.most { keeping.giveBack(taking.take(home: home), home: home) }
    #expect((1...128).contains(home ? keeping.withHome.count : keeping.withoutHome.count))
    taking.giveBackAll()
    keeping.giveBackAll()
  }

  @Test("A node ends before its first version begins, and that before its slot does")
  func layout() {
    #expect(MemoryLayout<Node>.size <= Node.slotSize)
    #expect(MemoryLayout<Version>.stride.isMultiple(of: 16), "what is stored after it may be aligned so")
  }

  @Test("A value that is written over in place is counted in whole words, and the last may be begun")
  func words() {
    let word = MemoryLayout<UInt>.size
    let counted = [0, 1, word, word + 1, 2 * word, 2 * word + 1].map {
      Version.words(isPlain: true, size: $0, alignment: 1)
    }
    #expect(counted == [1, 1, 1, 2, 2, 3])
    #expect(Version.words(isPlain: false, size: word, alignment: word) == 0)
    #expect(Version.words(isPlain: true, size: MemoryLayout<Version>.size + 1, alignment: 1) == 0)
  }
}
