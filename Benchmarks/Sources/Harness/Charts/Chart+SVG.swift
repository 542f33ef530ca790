extension Chart {
  private static let width = 860.0
  private static let height = 420.0
  private static let left = 62.0
  private static let right = 560.0
  private static let top = 44.0
  private static let bottom = 370.0
  /// Between the labels of two lines.
  private static let leading = 15.0

  public var svg: String {
    let points = series.flatMap(\.points)
    let x = Scale.sizes(points.map(\.size), from: Self.left, to: Self.right)
    let y = Scale.costs(points.map(\.cost), from: Self.bottom, to: Self.top)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(Self.height))" \
      role="img" aria-label="\(Self.escaped(title))">
      <style>\(Self.style)</style>
      <rect class="paper" width="100%" height="100%" rx="6"/>
      <text class="title" x="16" y="24">\(Self.escaped(title)), \(Self.escaped(unit))</text>
      \(grid(x, y))
      \(lines(x, y))
      </svg>

      """
  }

  private func grid(_ x: Scale, _ y: Scale) -> String {
    let sizes = Set(series.flatMap { $0.points.map(\.size) }).sorted()
    let columns = (sizes.count <= 8 ? sizes : x.ticks).map { size in
      let place = Self.number(x.place(of: size))
      return "<path class=\"grid\" d=\"M\(place) \(Self.number(Self.top))V\(Self.number(Self.bottom))\"/>"
        + "<text class=\"middle\" x=\"\(place)\" y=\"\(Self.number(Self.bottom + 16))\">\(Scale.label(size))</text>"
    }
    let rows = y.ticks.map { cost in
      let place = y.place(of: cost)
      return "<path class=\"grid\" d=\"M\(Self.number(Self.left)) \(Self.number(place))H\(Self.number(Self.right))\"/>"
        + "<text class=\"end\" x=\"\(Self.number(Self.left - 8))\" y=\"\(Self.number(place + 4))\">"
        + Scale.label(cost) + "</text>"
    }
    let name =
      "<text class=\"middle\" x=\"\(Self.number((Self.left + Self.right) / 2))\" "
      + "y=\"\(Self.number(Self.bottom + 36))\">\(Self.escaped(axis))</text>"
    return (columns + rows + [name]).joined(separator: "\n")
  }

  /// Each with its points, and a dotted line from the last to its name, which may be pushed away by others.
  private func lines(_ x: Scale, _ y: Scale) -> String {
    let ends = series.map { y.place(of: $0.points.last?.cost ?? 0) }
    let labels = Self.apart(ends, by: Self.leading, within: Self.top...Self.bottom)
    return series.indices.map { index in
      let series = series[index]
      let style = series.isFloor ? "floor" : "s\(index % Self.colours.count)"
      let places = series.points.map { "\(Self.number(x.place(of: $0.size))) \(Self.number(y.place(of: $0.cost)))" }
      let label = Self.number(labels[index])
      return "<g class=\"\(style)\"><path class=\"line\" d=\"M\(places.joined(separator: "L"))\"/>"
        + "<path class=\"point\" d=\"\(places.map { "M\($0)h0" }.joined())\"/>"
        + "<path class=\"leader\" d=\"M\(places.last ?? "0 0")L\(Self.number(Self.right + 14)) \(label)\"/>"
        + "<text x=\"\(Self.number(Self.right + 18))\" y=\"\(Self.number(labels[index] + 4))\">"
        + Self.escaped(series.name) + "</text></g>"
    }.joined(separator: "\n")
  }

  /// The same places in the same order, but none nearer to the next than `distance`.
  static func apart(_ places: [Double], by distance: Double, within range: ClosedRange<Double>) -> [Double] {
    let order = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    var moved = places
    var least = range.lowerBound
    for index in order {
      moved[index] = max(places[index], least)
      least = moved[index] + distance
    }
    var most = range.upperBound
    for index in order.reversed() {
      moved[index] = min(moved[index], most)
      most = moved[index] - distance
    }
    return moved
  }

  /// A tenth of a unit is finer than any screen.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : String(Double(tenths) / 10)
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
