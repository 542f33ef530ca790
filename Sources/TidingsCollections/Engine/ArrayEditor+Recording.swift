// Each mutation of an editor. It is inlined, so that the types are those of the caller: see `EditBatch`.
extension ArrayEditor {
  @inline(__always)
  mutating func replace(_ index: Int, with new: Element) {
    let old = tree[index]
    tree.replace(at: index, with: new)
    guard let batch = openBatch() else { return }
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { batch.append(.init(kind: .replace, offset: index), old, $0) }
    }
  }
  @inline(__always)
  mutating func insertInPlace(_ element: Element, at index: Int) {
    tree.insert(element, at: index)
    record(.init(kind: .insert, offset: index), element)
  }
  @inline(__always)
  mutating func removeInPlace(at index: Int) -> Element {
    let element = tree.remove(at: index)
    record(.init(kind: .remove, offset: index), element)
    return element
  }
  @inline(__always)
  mutating func moveInPlace(from: Int, to: Int) {
    if from == to { return }
    let element = tree.remove(at: from)
    tree.insert(element, at: to)
    record(.init(kind: .move, offset: from, target: to), element)
  }

  @inline(__always)
  mutating func record(_ record: ArrayEditBatch<Element>.Record, _ element: Element) {
    guard let batch = openBatch() else { return }
    withUnsafePointer(to: element) { batch.append(record, $0) }
  }
  @inline(__always)
  private mutating func openBatch() -> ArrayEditBatch<Element>? {
    recording.openBatch { ArrayEditBatch<Element>(before: $0) }.map {
      unsafeDowncast($0, to: ArrayEditBatch<Element>.self)
    }
  }
}
