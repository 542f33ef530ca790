import Tidings

// Every declaration of this module is on the main actor, unless it says otherwise.

final class Thermostat {
  @MainObserved(changes: .distinct) var target = 20.0
  @MainObserved var measured = 18.0
  var isHeating: Bool { measured < target }
}

/// Other threads use this type, so it is declared `nonisolated`.
nonisolated final class Sensor: Sendable {
  let degrees = Event<Double>("sensor.degrees")
  /// Measures on the calling thread.
  func measure(_ samples: [Double]) { for sample in samples { degrees.emit(sample) } }
}

final class Display {
  private var subscriptions: Set<Subscription> = []
  private(set) var lines: [String] = []

  init(_ thermostat: Thermostat) {
    // Formed on the main actor, so it runs there, and may read what it likes of this module.
    effect { [weak self] in
      self?.show("\(thermostat.measured) of \(thermostat.target): \(thermostat.isHeating ? "heating" : "off")")
    }.store(in: &subscriptions)
  }
  func show(_ line: String) {
    lines.append(line)
    print(line)
  }
}

let (thermostat, sensor) = (Thermostat(), Sensor())
let display = Display(thermostat)

// In place: the assignment returns when the display has shown it.
thermostat.target = 21
print("lines:", display.lines.count)

// From another thread it comes through the queue of the handler, in order.
let following = sensor.degrees.observe { degrees in thermostat.measured = degrees }
await Task.detached { sensor.measure([19, 20.5, 21.5]) }.value
await sensor.degrees.drained()
print("measured:", thermostat.measured)

// A key path of a type of this module is an operator's closure as well.
nonisolated struct Reading: Sendable {
  var degrees: Double
  var isFinal = false
}
let readings = Event<Reading>()
let finals = readings.filter(\.isFinal).map(\.degrees).observe { degrees in print("final:", degrees) }
readings.emit(Reading(degrees: 20))
readings.emit(Reading(degrees: 21, isFinal: true))
