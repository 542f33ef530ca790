/// Elements that compare as equivalent are in the order of the input, as the standard library's sort leaves them.
///
/// Every element has a tag, the same in the input and in the output. The tags know the order of the input.
final class SortStage<Element: Sendable>: Stage {
  private(set) var output: ArrayState<Element>
  private let areInOrder: @Sendable (Element, Element) -> Bool
  private var inputTags: OrderedTags
  private var outputTags: PersistentArray<OrderedTags.Tag>

  init(_ input: PersistentArray<Element>, _ areInOrder: @escaping @Sendable (Element, Element) -> Bool) {
    self.areInOrder = areInOrder
    inputTags = OrderedTags(count: input.count)
    let input = input.array
    let order = input.indices.sorted { one, other in
      if areInOrder(input[one], input[other]) { return true }
      return areInOrder(input[other], input[one]) ? false : one < other
    }
    outputTags = PersistentArray(order)
    output = ArrayState(PersistentArray(order.map { input[$0] }))
  }

  /// False if an element was not found, because the predicate is no strict weak order.
  override func follow(_ batch: EditBatch) -> Bool {
    var editor = output.editor
    let isFollowed = unsafeDowncast(batch, to: ArrayEditBatch<Element>.self).allSatisfy { edit, elements in
      switch edit.kind {
      case .insert:
        let tag = inputTags.insert(at: edit.offset)
        let place = place(of: elements, tag, in: editor.tree)
        outputTags.insert(tag, at: place)
        editor.insertInPlace(elements.pointee, at: place)
      case .remove:
        guard let place = knownPlace(of: elements, inputTags[edit.offset], in: editor.tree) else { return false }
        inputTags.remove(at: edit.offset)
        outputTags.remove(at: place)
        _ = editor.removeInPlace(at: place)
      case .replace:
        guard let place = knownPlace(of: elements, inputTags[edit.offset], in: editor.tree) else { return false }
        let new = move(elements + 1, from: place, in: editor.tree)
        editor.moveInPlace(from: place, to: new)
        editor.replace(new, with: elements[1])
      case .move:
        guard let place = knownPlace(of: elements, inputTags[edit.offset], in: editor.tree) else { return false }
        inputTags.move(from: edit.offset, to: edit.target)
        editor.moveInPlace(from: place, to: move(elements, from: place, in: editor.tree))
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }

  override func become(_ other: Stage) -> Bool {
    let other = unsafeDowncast(other, to: SortStage.self)
    // The tags of the other stage are the offsets in the input. Each element has a place in its output.
    var places = Array(repeating: 0, count: other.output.count)
    for (place, offset) in other.outputTags.array.enumerated() { places[offset] = place }
    var placesByTag: [OrderedTags.Tag: Int] = [:]
    for (offset, tag) in inputTags.array.enumerated() { placesByTag[tag] = places[offset] }
    let current = outputTags.array.map { placesByTag[$0] ?? 0 }
    let staying = longestAscent(of: current)
    // A move finds its element among all.
    if current.count - staying.count > Self.fewEdits { return false }
    var editor = output.editor
    editor.arrange(current, keeping: Set(staying), of: current.count) { _, _, _ in }
    (inputTags, outputTags) = (other.inputTags, other.outputTags)
    if let next = output.next(editor) { output = next }
    return true
  }

  /// The first place whose element is not ordered before the given element with that tag. One place may be left out; then
  /// the result counts without it.
  private func place(
    of element: UnsafePointer<Element>, _ tag: OrderedTags.Tag, in elements: PersistentArray<Element>,
    without hole: Int = .max
  ) -> Int {
    var (low, high) = (0, hole == .max ? elements.count : elements.count - 1)
    var (ordered, tags) = (Cursor(elements), Cursor(outputTags))
    while low < high {
      let middle = (low + high) / 2
      let place = middle < hole ? middle : middle + 1
      let other = ordered.element(at: place).assumingMemoryBound(to: Element.self)
      let isBefore =
        areInOrder(other.pointee, element.pointee)
        || (inputTags.isBefore(tags.element(at: place).assumingMemoryBound(to: OrderedTags.Tag.self).pointee, tag)
          && !areInOrder(element.pointee, other.pointee))
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
  private func knownPlace(
    of element: UnsafePointer<Element>, _ tag: OrderedTags.Tag, in elements: PersistentArray<Element>
  ) -> Int? {
    let place = place(of: element, tag, in: elements)
    return place < outputTags.count && outputTags[place] == tag ? place : nil
  }
  /// Moves the tag of an element to the place that the element has now, with the current order of the input.
  ///
  /// - Returns: That place.
  private func move(_ element: UnsafePointer<Element>, from old: Int, in elements: PersistentArray<Element>) -> Int {
    let new = place(of: element, outputTags[old], in: elements, without: old)
    if new != old { outputTags.insert(outputTags.remove(at: old), at: new) }
    return new
  }
}
