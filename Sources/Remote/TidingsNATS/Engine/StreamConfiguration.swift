#if NATS
// Requests to make streams and consumers, and the broker's answers. The names of the fields are the broker's, there in snake case.

struct StreamConfiguration: Encodable {
  let name: String
  let subjects: [String]
  var retention = "limits"
  var storage = "file"
  var maxConsumers = -1
  var maxMsgs = -1
  var maxBytes = -1
  var maxMsgSize = -1
  var maxAge: Int64 = 0
  var numReplicas = 1
  var duplicateWindow: Int64
  var maxMsgsPerSubject = -1
  var discard = "old"
  var allowRollupHdrs = false
  var denyDelete = false
  var allowDirect = false
}

struct ConsumerConfiguration: Encodable {
  var durableName: String?
  var deliverPolicy: String
  var optStartSeq: UInt64?
  var ackPolicy: String
  var ackWait: Int64?
  var maxDeliver: Int?
  var filterSubject: String
  var replayPolicy = "instant"
  var maxAckPending: Int?
  var inactiveThreshold: Int64?
  var memStorage: Bool?
  var numReplicas: Int?
}

struct StreamInfo: Decodable {
  struct State: Decodable {
    let lastSeq: UInt64
    let firstSeq: UInt64?
    let subjects: [String: Int]?
  }
  struct Configuration: Decodable {
    let subjects: [String]?
    var isOfOneSubject: Bool { subjects?.count == 1 && subjects?[0].contains(where: { "*>".contains($0) }) == false }
  }
  let state: State?
  let config: Configuration?
  let created: String?
}

struct ConsumerInfo: Decodable {
  let name: String
  let numPending: UInt64?
}
#endif
