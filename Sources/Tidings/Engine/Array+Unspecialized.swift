// The standard library's code for all types, in place of a copy for each type of element, which is some 400 bytes of every client.
// For arrays that are seldom changed: it takes several times as long.
extension Array {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func appendUnspecialized(_ element: Element) { append(element) }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func removeFirstUnspecialized(_ count: Int) { removeFirst(count) }
}
