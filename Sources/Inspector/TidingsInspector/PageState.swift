#if Inspector
/// The state that is sent to a page, as JSON.
struct PageState: Encodable, Sendable {
  struct Row: Encodable, Sendable {
    let id: UInt
    let kind: String
    let name: String
    let place: String
    let type: String
    let value: String?
    let isStale: Bool
    let total: UInt
    let rate: Double
    let history: [UInt32]
    let waiting: Int
    let dropped: Int
    let handlers: Int
    /// In microseconds.
    let mean: Double
    let slowest: Double
  }
  /// The handlers of an object that were added at one place.
  struct Handlers: Encodable, Sendable {
    let place: String
    var count = 0
    var paused = 0
    var calls = 0
    var waiting = 0
    var dropped = 0
    /// In nanoseconds, altogether and at most.
    var time: Int64 = 0
    var slowest: Int64 = 0
  }
  struct Link: Encodable, Sendable {
    let id: UInt
    let name: String
    let kind: String
  }
  struct Detail: Encodable, Sendable {
    let row: Row
    let handlers: [Handlers]
    let reads: [Link]
    let readBy: [Link]
    let streams: [Link]
    let computations: Int
    let unchanged: Int
  }
  struct Node: Encodable, Sendable {
    let id: UInt
    let name: String
    let kind: String
    let value: String?
    let isStale: Bool
    /// The last propagation reached it.
    let isLit: Bool
  }
  struct Edge: Encodable, Sendable {
    let from: UInt
    let to: UInt
    let isLit: Bool
  }
  struct Graph: Encodable, Sendable {
    let nodes: [Node]
    let edges: [Edge]
    /// How many connected values are left out.
    let hidden: Int
  }
  struct Notice: Encodable, Sendable {
    let kind: String
    let title: String
    let detail: String
    let object: UInt?
  }
  struct Moment: Encodable, Sendable {
    let number: Int
    /// Milliseconds before the state was made.
    let ago: Double
    let micros: Double
    let id: UInt
    let name: String
    let what: String
    let cause: String?
    let causeID: UInt?
  }

  let process: Int32
  let program: String
  let areValuesHidden: Bool
  let sample: Int
  let count: Int
  let kinds: [String: Int]
  let matching: Int
  let offset: Int
  let rows: [Row]
  let detail: Detail?
  let graph: Graph
  let warnings: [Notice]
  let timeline: [Moment]
}
#endif
