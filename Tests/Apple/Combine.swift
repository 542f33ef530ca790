// The declarations of Combine that the bridge uses, with Apple's availability: so that its branch for Combine is compiled where
// there is no Combine. Written from the public documentation; nothing of it runs.
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol Cancellable { func cancel() }

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol CustomCombineIdentifierConvertible {}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
extension Publisher {
  public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {}
}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public enum Subscribers {
  public struct Demand: Equatable, Comparable, Sendable {
    public static let unlimited = Demand(max: nil)
    public static let none = Demand(max: 0)
    public static func max(_ value: Int) -> Demand { Demand(max: value) }
    public let max: Int?
    public static func < (left: Demand, right: Demand) -> Bool { left.max ?? .max < right.max ?? .max }
    public static func += (left: inout Demand, right: Demand) {}
    public static func -= (left: inout Demand, right: Demand) {}
  }
  public enum Completion<Failure: Error>: Sendable {
    case finished
    case failure(Failure)
  }
}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public final class AnyCancellable: Cancellable, Hashable {
  public init(_ cancel: @escaping () -> Void) {}
  public init<C>(_ canceller: C) where C: Cancellable {}
  public func cancel() {}
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
