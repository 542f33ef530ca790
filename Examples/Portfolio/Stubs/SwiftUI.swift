// The declarations of SwiftUI that the views use, without a screen: so the views are compiled on Linux.
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension View { public func disabled(_ isDisabled: Bool) -> some View { self } }
public protocol SystemView: View {}
extension SystemView { public var body: Never { return fatalError() } }
extension Never: SystemView {}
extension Optional: SystemView, View where Wrapped: View {}
public struct TupleView<Content>: SystemView {}
@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each C: View>(_ content: repeat each C) -> TupleView<(repeat each C)> { .init() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}
public struct Binding<Value> {
  public typealias Setter = @isolated(any) @Sendable (Value) -> Void
  @preconcurrency public init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping Setter) {}
}
public struct VStack: SystemView { public init(@ViewBuilder content: () -> some View) {} }
public struct List: SystemView {
  public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder rowContent: (Data.Element) -> some View)
  where Data.Element: Identifiable {}
}
public struct Text: SystemView { public init(_ content: String) {} }
public struct TextField: SystemView { public init(_ title: String, text: Binding<String>) {} }
public struct Button: SystemView { public init(_ title: String, action: @escaping @MainActor () -> Void) {} }
