import Testing

@testable import Tidings

@Suite("Where nodes lie")
struct NodeStoreTests {
  private static let sizes = [NodeStore.size(withHome: false), NodeStore.size(withHome: true)]

  @Test(
    "No room is given to two, and what was given back is used again before a new piece is asked for", arguments: sizes)
  func noRoomTwice(_ size: Int) {
    var store = NodeStore()
    #expect(store.take() == nil)
    // The second comes while there is room: two threads may find simultaneously that there is none.
    let pieces = [NodeStore.Piece(of: size), NodeStore.Piece(of: size)]
    defer { for piece in pieces { piece.first.deallocate() } }
    store.add(pieces[0])
    let first = store.take()!
    store.add(pieces[1])
    var rooms = [first]
    while let room = store.take() { rooms.append(room) }
    #expect(rooms.count == 2 * pieces[0].count && Set(rooms).count == rooms.count)
    let sorted = rooms.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= size })

    for room in rooms { store.giveBack(room) }
    var again: Set<UnsafeMutableRawPointer> = []
    while let room = store.take() { again.insert(room) }
    #expect(again == Set(rooms))
  }

  @Test("Those of a piece are given side by side, each at the start of a cache line", arguments: sizes)
  func sideBySide(_ size: Int) {
    let piece = NodeStore.Piece(of: size)
    defer { piece.first.deallocate() }
    var store = NodeStore()
    store.add(piece)
    var rooms: [UnsafeMutableRawPointer] = []
    while let room = store.take() { rooms.append(room) }
    #expect(zip(rooms, rooms.dropFirst()).allSatisfy { $1 - $0 == size })
    #expect(rooms.allSatisfy { UInt(bitPattern: $0) % 64 == 0 })
  }

  @Test("A node ends before its first record begins, and that before its room does")
  func layout() {
    #expect(MemoryLayout<Node>.size <= Node.room)
    #expect(MemoryLayout<Record>.stride.isMultiple(of: 16), "what stands behind it may be aligned so")
  }

  @Test("A value that is written over in place is counted in whole words, and the last may be begun")
  func words() {
    let word = MemoryLayout<UInt>.size
    let counted = [0, 1, word, word + 1, 2 * word, 2 * word + 1].map {
      Record.words(isPlain: true, size: $0, alignment: 1)
    }
    #expect(counted == [1, 1, 1, 2, 2, 3])
    #expect(Record.words(isPlain: false, size: word, alignment: word) == 0)
    #expect(Record.words(isPlain: true, size: MemoryLayout<Record>.size + 1, alignment: 1) == 0)
  }
}
