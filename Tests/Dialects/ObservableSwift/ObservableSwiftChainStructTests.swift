// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

/// Chains through values: what is notified when a struct changes in place, is copied, or is written back.
@Suite struct ObservableSwiftChainStructTests {
  @Test func `a change through a struct is notified once, before and after, with the values`() {
    var box = Observable(Box())
    var received: [String] = []
    let number = chain(box).to { $0.number }
    number.beforeChange += { (old, new) in received.append("before \(old ?? -1)→\(new ?? -1)") }
    number.afterChange += { (old, new) in received.append("after \(old ?? -1)→\(new ?? -1)") }
    box.value.number <- 1
    #expect(received == ["before 0→1", "after 0→1"])
    box.value.number.value += 5
    #expect(received.suffix(2) == ["before 1→6", "after 1→6"])
    box <- Box()
    #expect(received.suffix(2) == ["before 6→0", "after 6→0"])
    box.value.number <- 2
    #expect(received.suffix(2) == ["before 0→2", "after 0→2"])
    #expect(received.count == 8)
    #expect(number.value == 2)
  }

  @Test func `a struct that is changed apart and then written back was notified when it was changed`() {
    var box = Observable(Box())
    var received: [String] = []
    let number = chain(box).to { $0.number }
    number.afterChange += { (old, new) in received.append("\(old!)→\(new!)") }
    var copy = box.value
    copy.number <- 5
    #expect(received == ["0→5"])
    box.value = copy
    #expect(received == ["0→5"])

    var (one, two) = (box.value, box.value)
    one.number <- 6
    two.number <- 7
    box.value = one
    #expect(number.value == 6)
    #expect(received == ["0→5", "5→6", "5→7", "7→6"])
  }

  @Test func `a change of the base that leaves the target as it was is notified, as equal values are`() {
    struct Named {
      var name = ""
      var number = Observable(3)
    }
    var named = Observable(Named())
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    var received: [String] = []
    chain(named).to { $0.number }.afterChange += { (old, new) in received.append("\(old!)→\(new!)") }
    chain(me.friend).to { $0?.last }.afterChange += { (old, new) in received.append("\(old ?? "-")→\(new ?? "-")") }
    named.value.name = "other"
    me.friend <- john
    john.last <- "Stark"
    me.friend <- john
    #expect(received == ["3→3", "-→Doe", "Doe→Stark", "Stark→Stark"])
    john.last <- "Snow"
    named.value.number <- 4
    #expect(received.suffix(2) == ["Stark→Snow", "3→4"])
    #expect(received.count == 6)
  }

  @Test func `unsharing what it leads to leaves it one handler`() {
    var box = Observable(Box())
    var received: [Int?] = []
    chain(box).to { $0.number }.afterChange += { (_: Int?, new: Int?) in received.append(new) }
    box.value.number.unshare(removeSubscriptions: false)
    received = []
    box.value.number <- 1
    #expect(received == [1])
  }

  @Test func `its value is that of the changes it received, also when it is chained later`() {
    var box = Observable(Box())
    let link = chain(box)
    box.value.number <- 3
    box <- Box(number: Observable(4))
    let number = link.to { $0.number }
    #expect(number.value == 4)
    box.value.number <- 5
    #expect(number.value == 5)
    let (me, john) = (Person("Me", "Snow"), Person("John", "Doe"))
    #expect((me.friend / { $0?.last }).value == nil)
    me.friend <- john
    #expect((me.friend / { $0?.last })^ == "Doe")
  }
}
