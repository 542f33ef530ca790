import Testing
import Tidings
import TidingsTesting

@Suite("Chains of values")
struct ChainTests {
  private final class Person: Sendable {
    let name: Observed<String>
    let nick: Observed<String?>
    let partner = Observed<Person?>(nil)
    init(_ name: String, nick: String? = nil) { (self.name, self.nick) = (Observed(name), Observed(nick)) }
  }
  private struct Address: Sendable { var city = Observed("Ur") }

  @Test("Any link may change, the first included, and each cause is one change")
  func anyLink() {
    let (ada, grace) = (Person("Ada"), Person("Grace"))
    let (selected, received) = (Observed(ada), Recorder<Change<String>>())
    let name = selected.chain { $0.name }
    let token = name.observe { received($0) }
    #expect(name.value == "Ada")
    ada.name.set("Ada L.")
    selected.set(grace)
    ada.name.set("no handler")
    grace.name.set("Grace H.")
    transaction {
      selected.set(ada)
      ada.name.set("Ada")
    }
    #expect(
      received.values == [
        Change(old: "Ada", new: "Ada L."), Change(old: "Ada L.", new: "Grace"), Change(old: "Grace", new: "Grace H."),
        Change(old: "Grace H.", new: "Ada"),
      ])
    #expect(name.value == "Ada")
    token.cancel()
  }

  @Test("A link that leads nowhere gives nil, and two that may give one optional")
  func optionals() {
    let (ada, grace) = (Person("Ada", nick: "A"), Person("Grace"))
    let (selected, received) = (Observed<Person?>(nil), Recorder<String?>())
    let name: Derived<String?> = selected.chain { $0?.name }
    let nick: Derived<String?> = selected.chain { $0?.nick }
    let partner: Derived<String?> = selected.chain { $0?.partner }.chain { $0?.name }
    let tokens = [name, nick, partner].map { $0.observe { received($0.new) } }
    #expect([name.value, nick.value, partner.value] == [nil, nil, nil])
    selected.set(ada)
    #expect([name.value, nick.value, partner.value] == ["Ada", "A", nil])
    ada.partner.set(grace)
    ada.nick.set(nil)
    grace.name.set("G")
    #expect([name.value, nick.value, partner.value] == ["Ada", nil, "G"])
    selected.set(nil)
    #expect([name.value, nick.value, partner.value] == [nil, nil, nil])
    #expect(received.values.prefix(2) == ["Ada", "A"] || received.values.prefix(2) == ["A", "Ada"])
    #expect(received.values.dropFirst(2) == ["Grace", nil, "G", nil, nil])
    withExtendedLifetime(tokens) {}
  }

  @Test("Values in structs are links like any other, from derived and read-only values too")
  func structs() {
    let (address, index) = (Observed(Address()), Observed(0))
    let cities = [Observed("Ur"), Observed("Uruk")]
    let (city, indexed) = (address.readOnly.chain { $0.city }, Derived { index.value % 2 }.chain { cities[$0] })
    let received = Recorder<String>()
    let tokens = [city.observe { received($0.new) }, indexed.observe { received($0.new) }]
    address.value.city.set("Kish")
    address.set(Address())
    index.set(1)
    cities[1].set("Eridu")
    #expect(received.values == ["Kish", "Ur", "Uruk", "Eridu"])
    withExtendedLifetime(tokens) {}
  }

  @Test("A subscription keeps no source alive")
  func lifetime() async {
    let canaries = Canaries()
    final class Node: Sendable {
      let canary: Canary
      let number = Observed(1)
      init(_ canary: Canary) { self.canary = canary }
    }
    var root: Observed<Int>? = Observed(0)
    var node: Node? = Node(canaries.make())
    let links = Locked([node!])
    let chain = root!.chain { index in links.current[index].number }
    let received = Recorder<Int>()
    let token = chain.observe { received($0.new) }
    node?.number.set(2)
    #expect(received.values == [2])
    links.current = []
    node = nil
    #expect(await canaries.quiesce(), "the owner of a link")
    weak let weakly = root
    root = nil
    #expect(weakly == nil, "the first source")
    #expect(chain.value == 2)
    token.cancel()
  }
}
