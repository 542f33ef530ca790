/// Elements that compare as equivalent are in the order of the input, as the standard library's sort leaves them.
///
/// Every element has a tag, the same in the input and in the output. The tags know the order of the input.
struct SortStage<Element: Sendable>: ArrayStage {
  private(set) var output: ArrayState<Element>
  private var inputTags: OrderedTags
  private var outputTags: [OrderedTags.Tag]

  init(_ input: [Element], _ areInOrder: (Element, Element) -> Bool) {
    inputTags = OrderedTags(count: input.count)
    outputTags = input.indices.sorted { one, other in
      if areInOrder(input[one], input[other]) { return true }
      return areInOrder(input[other], input[one]) ? false : one < other
    }
    output = ArrayState(outputTags.map { input[$0] })
  }

  /// False if an element was not found, because the predicate is no strict weak order.
  mutating func follow(_ edits: [ArrayEdit<Element>], _ areInOrder: (Element, Element) -> Bool) -> Bool {
    var (input, tags) = (inputTags, outputTags)
    (inputTags, outputTags) = (OrderedTags(count: 0), [])
    let isFollowed = output.edit { output in
      /// The first place whose element is not ordered before the given element with that tag. One place may be left out;
      /// then the result counts without it.
      func place(of element: Element, _ tag: OrderedTags.Tag, without hole: Int = .max) -> Int {
        var (low, high) = (0, hole == .max ? output.count : output.count - 1)
        while low < high {
          let middle = (low + high) / 2
          let place = middle < hole ? middle : middle + 1
          let isBefore =
            areInOrder(output[place], element)
            || (input.isBefore(tags[place], tag) && !areInOrder(element, output[place]))
          if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
      }
      func knownPlace(of element: Element, _ tag: OrderedTags.Tag) -> Int? {
        let place = place(of: element, tag)
        return place < tags.count && tags[place] == tag ? place : nil
      }
      /// Moves the element to the place that it has now, with the current order of the input.
      func move(_ element: Element, from old: Int) -> Int {
        let new = place(of: element, tags[old], without: old)
        tags.insert(tags.remove(at: old), at: new)
        output.move(from: old, to: new)
        return new
      }
      for edit in edits {
        switch edit {
        case .insert(let element, let offset):
          let tag = input.insert(at: offset)
          let place = place(of: element, tag)
          tags.insert(tag, at: place)
          output.insert(element, at: place)
        case .remove(let element, let offset):
          guard let place = knownPlace(of: element, input[offset]) else { return false }
          input.remove(at: offset)
          tags.remove(at: place)
          output.remove(at: place)
        case .replace(let old, let new, let offset):
          guard let place = knownPlace(of: old, input[offset]) else { return false }
          output[move(new, from: place)] = new
        case .move(let element, let from, let to):
          guard let place = knownPlace(of: element, input[from]) else { return false }
          input.move(from: from, to: to)
          _ = move(element, from: place)
        }
      }
      return true
    }
    (inputTags, outputTags) = (input, tags)
    return isFollowed
  }
}
