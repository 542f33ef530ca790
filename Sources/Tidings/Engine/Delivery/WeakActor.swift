final class WeakActor: @unchecked Sendable {  // written once, before it is shared
  private(set) weak var actor: (any Actor)?
  init(_ actor: any Actor) { self.actor = actor }
}
