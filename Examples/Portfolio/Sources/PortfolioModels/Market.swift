import Foundation
import TidingsJournal
import TidingsRemote

extension Relay {
  /// Connects this process to the others that use the same file.
  public convenience init(market file: String, name: String) throws {
    self.init(try Journal(file, retention: .newest(1_000)), name: name, namespace: "portfolio")
  }
  /// The prices by symbol, which another process emits. They arrive as long as the result is retained.
  public func prices() -> RelayedEvent<[String: Decimal]> { event("market.prices", of: [String: Decimal].self) }
}
