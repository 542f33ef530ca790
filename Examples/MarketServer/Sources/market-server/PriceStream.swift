import Hummingbird
import Tidings

/// The response to a client of the prices: server-sent events until the market closes or the client has disconnected.
struct PriceStream {
  let market: Market
  let buffer: Int

  /// The content of the last message.
  private struct Closing: Encodable {
    let dropped: Int
  }

  func respond(_ request: Request, _ context: some RequestContext) -> Response {
    // From here on nothing is missed; what the opening has as well is recognized by its number.
    let stream = market.ticked.stream(buffering: .newest(buffer), addingDropsTo: market.dropped)
    let opening = market.opening.value
    let body = ResponseBody { writer in
      try await writer.write(opening.bytes)
      var said = 0
      // The market waits for no client. A write waits until this one has taken enough; meanwhile its stream drops the
      // oldest, and the client learns how many.
      for await message in stream {
        let dropped = stream.droppedCount
        if dropped > said {
          try await writer.write(Message(event: "dropped", dropped).bytes)
          said = dropped
        }
        try await writer.write(message.bytes)
      }
      try await writer.write(Message(event: "closed", Closing(dropped: stream.droppedCount)).bytes)
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
  }
}
