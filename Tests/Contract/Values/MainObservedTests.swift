import Testing
import Tidings
import TidingsTesting

@Suite("Properties of the main actor that are set")
@MainActor
struct MainObservedTests {
  @MainActor private final class Mixer {
    @MainObserved var volume = 0.5
    @MainObserved(label: "mixer.isMuted", changes: .distinct) var isMuted = false
    @MainObserved var names: [String] = []
    let changes: PropertyChanges<Mixer>
    init(volume: Double = 0.5) {
      changes = PropertyChanges(
        .init(main: \.$volume, _volume.projectedValue), .init(main: \.$isMuted, _isMuted.projectedValue))
      self.volume = volume
    }
  }

  @Test(
    """
    42. A `@MainObserved` property is read and assigned as a plain one; an assignment calls the handlers of the main actor in \
    place, before it returns. Its `$` is the `Observed`, for every thread and for whatever takes one.
    """)
  func aPropertyOfTheMainActorIsAssigned() async {
    let (mixer, log) = (Mixer(volume: 0.25), Recorder<String>())
    #expect(mixer.volume == 0.25)
    var here: [Double] = []
    let inPlace = mixer.$volume.observe { here.append($0.new) }
    let muted = mixer.$isMuted.observe { log("muted \($0.new)") }
    mixer.volume += 0.5
    #expect(here == [0.75] && mixer.volume == 0.75 && mixer.$volume.value == 0.75)
    mixer.isMuted = false
    #expect(log.values.isEmpty, "the change policy holds for assignments")
    mixer.isMuted = true
    mixer.names.append("Ada")
    mixer.names[0] += "!"
    #expect(log.values == ["muted true"] && mixer.names == ["Ada!"])

    let loudness = Derived { [volume = mixer.$volume, isMuted = mixer.$isMuted] in isMuted.value ? 0 : volume.value }
    let properties = Recorder<[Bool]>()
    let changed = mixer.changes.observe { properties([$0.contains(\.$volume), $0.contains(\.$isMuted)]) }
    transaction {
      mixer.volume = 1
      mixer.isMuted = false
      #expect(here == [0.75])
    }
    #expect(here == [0.75, 1] && loudness.value == 1 && properties.values == [[true, true]])
    let level = Observed<Mixer?>(mixer).chain { [volume = mixer.$volume] mixer in mixer.map { _ in volume } }
    #expect(level.value == 1)

    let volume = mixer.$volume
    await Threads.elsewhere { volume.update { $0 += 1 } }
    #expect(await eventually { here.last == 2 } && mixer.volume == 2)
    withExtendedLifetime((inPlace, muted, changed)) {}
  }

  @Test("A property can show a value that exists")
  func showsAValueThatExists() {
    @MainActor struct Dial {
      @MainObserved var value: Int
      init(_ shared: Observed<Int>) { _value = MainObserved(projectedValue: shared) }
    }
    let shared = Observed(1)
    let (one, other) = (Dial(shared), Dial(shared))
    one.value = 5
    #expect(other.value == 5 && shared.value == 5)
  }
}
