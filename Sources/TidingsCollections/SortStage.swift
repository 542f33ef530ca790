/// Every element has a tag, the same in the input and in the output, which identifies it among elements that compare as
/// equivalent. The tags of those ascend.
struct SortStage<Element: Sendable>: ArrayStage {
  private(set) var output: ArrayState<Element>
  /// The tags in the order of the input, and in that of the output.
  private var inputTags: [UInt]
  private var outputTags: [UInt]
  private var nextTag: UInt

  init(_ input: [Element], _ areInOrder: (Element, Element) -> Bool) {
    inputTags = Array(0..<UInt(input.count))
    nextTag = UInt(input.count)
    let sorted = zip(input, inputTags).sorted { one, other in
      if areInOrder(one.0, other.0) { return true }
      return areInOrder(other.0, one.0) ? false : one.1 < other.1
    }
    output = ArrayState(sorted.map(\.0))
    outputTags = sorted.map(\.1)
  }

  /// False if an element was not found, because the predicate is no strict weak order.
  mutating func follow(_ edits: [ArrayEdit<Element>], _ areInOrder: (Element, Element) -> Bool) -> Bool {
    var (input, tags, next) = (inputTags, outputTags, nextTag)
    (inputTags, outputTags) = ([], [])
    let isFollowed = output.edit { output in
      /// The first place whose element is not ordered before the given element with that tag.
      func place(of element: Element, _ tag: UInt) -> Int {
        var (low, high) = (0, output.count)
        while low < high {
          let middle = (low + high) / 2
          let isBefore =
            areInOrder(output[middle], element)
            || (tags[middle] < tag && !areInOrder(element, output[middle]))
          if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
      }
      for edit in edits {
        switch edit {
        case .insert(let element, let offset):
          let place = place(of: element, next)
          input.insert(next, at: offset)
          tags.insert(next, at: place)
          output.insert(element, at: place)
          next += 1
        case .remove(let element, let offset):
          let tag = input.remove(at: offset)
          let place = place(of: element, tag)
          guard place < tags.count, tags[place] == tag else { return false }
          tags.remove(at: place)
          output.remove(at: place)
        case .replace(let old, let new, let offset):
          let tag = input[offset]
          let place1 = place(of: old, tag)
          guard place1 < tags.count, tags[place1] == tag else { return false }
          // Without the old element; recorded as one edit if the place is the same.
          let place2 = place(of: new, next)
          let target = place2 > place1 ? place2 - 1 : place2
          input[offset] = next
          tags.remove(at: place1)
          tags.insert(next, at: target)
          output.move(from: place1, to: target)
          output[target] = new
          next += 1
        case .move(_, let from, let to): input.insert(input.remove(at: from), at: to)
        }
      }
      return true
    }
    (inputTags, outputTags, nextTag) = (input, tags, next)
    return isFollowed
  }
}
