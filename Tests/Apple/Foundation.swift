// The declarations of Foundation that the package and the guide *Interactors* use, so that they are compiled for Apple systems where
// there is no Foundation of Apple's. Written from the public documentation; nothing of it runs. All of them are older than macOS 15 and
// iOS 18, so none states its availability. A class is `Sendable` here where Apple's documentation says so.
@_exported import Darwin
@_exported import Dispatch

private func none<Result>() -> Result { fatalError() }

// MARK: Objects

public protocol NSObjectProtocol: AnyObject {}
open class NSObject: NSObjectProtocol, Hashable {
  public init() {}
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
/// Stands for `#selector`, which needs Objective-C: `.ci/apple` writes one for the other, so the name of the member is checked.
public struct Selector: Equatable {
  public init(_ member: Any) {}
}
public struct NSRange: Sendable {
  public var location: Int
  public var length: Int
  public init(location: Int, length: Int) { (self.location, self.length) = (location, length) }
}
open class Thread: NSObject, @unchecked Sendable {
  public init(block: @escaping @Sendable () -> Void) {}
  public class var isMainThread: Bool { none() }
  public var name: String? {
    get { none() }
    set {}
  }
  public func start() {}
}

// MARK: Data

public struct Data: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Hashable, Codable, Sendable {
  private var bytes: [UInt8] = []
  public init() {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(contentsOf url: URL) throws {}
  public var startIndex: Int { none() }
  public var endIndex: Int { none() }
  public subscript(index: Int) -> UInt8 {
    get { none() }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { none() }
    set {}
  }
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<UInt8>) {}
  public mutating func append(_ other: Data) {}
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result { none() }
}
public struct Date: Hashable, Codable, Sendable { public init() {} }
public struct UUID: Hashable, Codable, Sendable {
  public init() {}
  public var uuidString: String { none() }
}
open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }
  public init() {}
  public var outputFormatting: OutputFormatting {
    get { none() }
    set {}
  }
  public func encode<Value: Encodable>(_ value: Value) throws -> Data { none() }
}
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { none() }
}
open class JSONSerialization: NSObject {
  public class func jsonObject(with data: Data) throws -> Any { none() }
}

// MARK: Files

public struct URL: Hashable, Codable, Sendable {
  public init(filePath path: String) {}
  public var path: String { none() }
  public var lastPathComponent: String { none() }
  public var absoluteURL: URL { none() }
  public func resolvingSymlinksInPath() -> URL { none() }
  public func deletingLastPathComponent() -> URL { none() }
  public func appendingPathExtension(_ ending: String) -> URL { none() }
  public func appending(path: some StringProtocol) -> URL { none() }
}
open class FileManager: NSObject {
  public class var `default`: FileManager { none() }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
  public func contentsOfDirectory(atPath path: String) throws -> [String] { none() }
  public func fileExists(atPath path: String) -> Bool { none() }
  public func copyItem(at source: URL, to destination: URL) throws {}
}
open class FileHandle: NSObject, @unchecked Sendable {
  public class var standardError: FileHandle { none() }
  public func write(_ data: Data) {}
}
open class UserDefaults: NSObject {
  public class var standard: UserDefaults { none() }
  public static let didChangeNotification = NSNotification.Name("")
  public init?(suiteName: String?) {}
  public func string(forKey key: String) -> String? { none() }
  public func set(_ value: Any?, forKey key: String) {}
}
open class ISO8601DateFormatter: NSObject {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let withFullDate = Options(rawValue: 1)
    public static let withTime = Options(rawValue: 2)
  }
  public var formatOptions: Options {
    get { none() }
    set {}
  }
  public func string(from date: Date) -> String { none() }
}

// MARK: Errors

public protocol LocalizedError: Error { var errorDescription: String? { get } }
public struct CocoaError: Error {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let fileReadNoSuchFile = Code(rawValue: 260)
  }
  public var code: Code { none() }
}
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum POSIXErrorCode: Int32, Sendable { case EIO = 5 }
public struct POSIXError: Error { public init(_ code: POSIXErrorCode) {} }

// MARK: Notifications

open class NSNotification: NSObject {
  public struct Name: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
}
public struct Notification {
  public typealias Name = NSNotification.Name
  public var name: Name
  public var object: Any?
  public var userInfo: [AnyHashable: Any]?
}
open class OperationQueue: NSObject, @unchecked Sendable {}
open class NotificationCenter: NSObject, @unchecked Sendable {
  public class var `default`: NotificationCenter { none() }
  public func addObserver(
    forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { none() }
  public func removeObserver(_ observer: Any) {}
  public func post(name: NSNotification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {}
}

// MARK: Numbers

public struct Decimal: SignedNumeric, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
  private var digits = 0
  public init(_ value: Int) {}
  public init(_ value: UInt8) {}
  public init(integerLiteral value: Int) {}
  public init?(exactly source: some BinaryInteger) {}
  public init?(string: String, locale: Locale? = nil) {}
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
  public var magnitude: Decimal { none() }
  public var isFinite: Bool { none() }
  public var description: String { none() }
  public static func < (left: Decimal, right: Decimal) -> Bool { none() }
  public static func + (left: Decimal, right: Decimal) -> Decimal { none() }
  public static func - (left: Decimal, right: Decimal) -> Decimal { none() }
  public static func * (left: Decimal, right: Decimal) -> Decimal { none() }
  public static func / (left: Decimal, right: Decimal) -> Decimal { none() }
  public static func *= (left: inout Decimal, right: Decimal) {}
}
public enum NumberFormatStyleConfiguration {
  public struct Precision: Sendable { public static func fractionLength(_ length: Int) -> Precision { none() } }
  public struct Grouping: Sendable { public static var never: Grouping { none() } }
}
extension Decimal {
  public struct FormatStyle: Sendable {
    public init(locale: Locale) {}
    public func precision(_ precision: NumberFormatStyleConfiguration.Precision) -> FormatStyle { none() }
    public func grouping(_ grouping: NumberFormatStyleConfiguration.Grouping) -> FormatStyle { none() }
    public func format(_ value: Decimal) -> String { none() }

    public struct Percent: Sendable {
      public init(locale: Locale) {}
      public func precision(_ precision: NumberFormatStyleConfiguration.Precision) -> Percent { none() }
      public func format(_ value: Decimal) -> String { none() }
    }
    public struct Currency: Sendable {
      public init(code: String, locale: Locale) {}
      public func precision(_ precision: NumberFormatStyleConfiguration.Precision) -> Currency { none() }
      public func format(_ value: Decimal) -> String { none() }
    }
  }
}
public struct Locale: Hashable, Codable, Sendable {
  public struct Currency: Hashable, Codable, Sendable {
    public init(_ identifier: String) {}
    public var identifier: String { none() }
    public var isISOCurrency: Bool { none() }
  }
  public struct NumberingSystem: Hashable, Codable, Sendable { public init(_ identifier: String) {} }
  public struct Components: Hashable, Codable, Sendable {
    public init(locale: Locale) {}
    public var numberingSystem: NumberingSystem?
  }
  public static var current: Locale { none() }
  public init(identifier: String) {}
  public init(components: Components) {}
  public var currency: Currency? { none() }
}
