import NIOCore

/// Bounds what is on its way to one client: without it the system buffers megabytes for one that does not read.
///
/// A client costs the server at most these bytes, what the stream buffers, and the task of its response.
final class BoundedChannel: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = Any
  func handlerAdded(context: ChannelHandlerContext) {
    _ = context.channel.setOption(.socketOption(.so_sndbuf), value: 16_384)
    _ = context.channel.setOption(.writeBufferWaterMark, value: .init(low: 4_096, high: 8_192))
  }
}
