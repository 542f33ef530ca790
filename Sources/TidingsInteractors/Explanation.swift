import Foundation

/// The description of an error for a person, if the error has one, otherwise its plain Swift description.
///
/// - Parameter error: The error.
/// - Returns: The description.
public func explanation(of error: any Error) -> String {
  // A rejection has its own description. Foundation treats every error as a LocalizedError, but only a conforming type has a
  // description.
  if let words = (error as? any LocalizedError)?.errorDescription { return words }
  return String(describing: error)
}
