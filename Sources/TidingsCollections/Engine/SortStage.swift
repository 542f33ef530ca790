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
    let isFollowed = batch.allSatisfy(ArrayEdit<Element>.self) { edit in
      switch edit {
      case .insert(let element, let offset):
        let tag = inputTags.insert(at: offset)
        let place = place(of: element, tag, in: editor.tree)
        outputTags.insert(tag, at: place)
        editor.insert(element, at: place)
      case .remove(let element, let offset):
        guard let place = knownPlace(of: element, inputTags[offset], in: editor.tree) else { return false }
        inputTags.remove(at: offset)
        outputTags.remove(at: place)
        editor.remove(at: place)
      case .replace(let old, let new, let offset):
        guard let place = knownPlace(of: old, inputTags[offset], in: editor.tree) else { return false }
        editor[move(new, from: place, &editor)] = new
      case .move(let element, let from, let to):
        guard let place = knownPlace(of: element, inputTags[from], in: editor.tree) else { return false }
        inputTags.move(from: from, to: to)
        _ = move(element, from: place, &editor)
      }
      return true
    }
    if let next = output.next(editor) { output = next }
    return isFollowed
  }

  /// The first place whose element is not ordered before the given element with that tag. One place may be left out; then
  /// the result counts without it.
  private func place(
    of element: Element, _ tag: OrderedTags.Tag, in elements: PersistentArray<Element>, without hole: Int = .max
  ) -> Int {
    var (low, high) = (0, hole == .max ? elements.count : elements.count - 1)
    var (ordered, tags) = (Cursor(elements), Cursor(outputTags))
    while low < high {
      let middle = (low + high) / 2
      let place = middle < hole ? middle : middle + 1
      let other = ordered.element(at: place).assumingMemoryBound(to: Element.self)
      let isBefore =
        areInOrder(other.pointee, element)
        || (inputTags.isBefore(tags.element(at: place).assumingMemoryBound(to: OrderedTags.Tag.self).pointee, tag)
          && !areInOrder(element, other.pointee))
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
  private func knownPlace(
    of element: Element, _ tag: OrderedTags.Tag, in elements: PersistentArray<Element>
  ) -> Int? {
    let place = place(of: element, tag, in: elements)
    return place < outputTags.count && outputTags[place] == tag ? place : nil
  }
  /// Moves the element to the place that it has now, with the current order of the input.
  private func move(_ element: Element, from old: Int, _ editor: inout ArrayEditor<Element>) -> Int {
    let new = place(of: element, outputTags[old], in: editor.tree, without: old)
    if new != old { outputTags.insert(outputTags.remove(at: old), at: new) }
    editor.move(from: old, to: new)
    return new
  }
}
