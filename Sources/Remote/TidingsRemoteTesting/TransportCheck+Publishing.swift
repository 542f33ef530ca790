import Foundation
import TidingsRemote

extension TransportCheck {
  static let publishing = [
    TransportCheck("What is published reaches every subscriber of its subject, in order, and no other") { kit in
      let (sender, other) = (try await kit.connect(), try await kit.connect())
      let (subject, stranger) = (TransportUnderTest.unique("published"), TransportUnderTest.unique("published"))
      let (near, far, unconcerned) = (Receiver(), Receiver(), Receiver())
      let tokens = [
        try sender.subscribe(to: subject, kept: false, near.receive),
        try other.subscribe(to: subject, kept: false, far.receive),
        try other.subscribe(to: stranger, kept: false, unconcerned.receive),
      ]
      try await reach([near, far], from: sender, subject)
      try await reach([unconcerned], from: sender, stranger)
      try await sender.publish((1...100).map { TransportUnderTest.message(subject, $0) })
      try await sender.publish([TransportUnderTest.message(stranger, 101)])
      for receiver in [near, far] {
        let bodies = await received(receiver, until: "100")
        try require(bodies == (1...100).map(String.init), "received \(bodies)")
      }
      let strange = await received(unconcerned, until: "101")
      try require(strange == ["101"], "another subject received \(strange)")
      withExtendedLifetime(tokens) {}
      await sender.close()
      await other.close()
    },

    TransportCheck("What is published immediately, where it is, keeps its place and arrives once") { kit in
      let (sender, other) = (try await kit.connect(), try await kit.connect())
      let subject = TransportUnderTest.unique("immediate")
      let receiver = Receiver()
      let token = try other.subscribe(to: subject, kept: false, receiver.receive)
      try await reach([receiver], from: sender, subject)
      for number in 1...100 {
        let message = TransportUnderTest.message(subject, number)
        if !(number % 3 > 0 && sender.publishImmediately { message }) { try await sender.publish([message]) }
      }
      let bodies = await received(receiver, until: "100")
      try require(bodies == (1...100).map(String.init), "received \(bodies)")
      withExtendedLifetime(token) {}
      await sender.close()
      await other.close()
    },

    TransportCheck("A message arrives as it was sent") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("Käse.with space.*.>")
      let receiver = Receiver()
      let token = try transport.subscribe(to: subject, kept: false, receiver.receive)
      try await reach([receiver], from: transport, subject)
      let sent = RemoteMessage(
        subject: subject, id: "an id, “quoted”", origin: "shop#1/2", number: 7, hops: 3, schema: "Prix €", version: 12,
        body: Data((0...255).map(UInt8.init)))
      try await transport.publish([sent])
      let got = await message(receiver) { $0.number == 7 && $0.hops == 3 }
      try require(
        got.subject == sent.subject && got.origin == sent.origin && got.schema == sent.schema
          && got.version == sent.version && got.body == sent.body,
        "sent \(sent), received \(got)")
      withExtendedLifetime(token) {}
      await transport.close()
    },

    TransportCheck("A cancelled subscription receives nothing more") { kit in
      let transport = try await kit.connect()
      let subject = TransportUnderTest.unique("cancelled")
      let (cancelled, other) = (Receiver(), Receiver())
      var token: TransportSubscription? = try transport.subscribe(to: subject, kept: false, cancelled.receive)
      let kept = try transport.subscribe(to: subject, kept: false, other.receive)
      try await reach([cancelled, other], from: transport, subject)
      withExtendedLifetime(token) {}
      token = nil
      try await transport.publish([TransportUnderTest.message(subject, 1)])
      _ = await received(other, until: "1")
      let bodies = await cancelled.bodies(atLeast: 0).filter { $0 != "probe" }
      try require(bodies.isEmpty, "received \(bodies)")
      withExtendedLifetime(kept) {}
      await transport.close()
    },
  ]

  /// A subscription may need the network to take effect: returns when the receivers have received.
  private static func reach(
    _ receivers: [Receiver], from transport: any RemoteTransport, _ subject: String
  ) async throws {
    for receiver in receivers {
      while await receiver.messages(atLeast: 0).isEmpty {
        let probe = RemoteMessage(
          subject: subject, id: "", origin: "probe", schema: "", version: 0, body: Data("probe".utf8))
        try await transport.publish([probe])
        await Task.yield()
      }
    }
  }
  private static func received(_ receiver: Receiver, until last: String) async -> [String] {
    _ = await message(receiver) { $0.body == Data(last.utf8) }
    return await receiver.bodies(atLeast: 0).filter { $0 != "probe" }
  }
  private static func message(_ receiver: Receiver, where isIt: (RemoteMessage) -> Bool) async -> RemoteMessage {
    var count = 1
    while true {
      let messages = await receiver.messages(atLeast: count)
      if let found = messages.first(where: isIt) { return found }
      count = messages.count + 1
    }
  }
}
