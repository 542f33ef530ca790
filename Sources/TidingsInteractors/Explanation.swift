import Foundation

/// An error in words for a person, as far as it has any.
public func explanation(of error: any Error) -> String {
  // A refusal says it itself. Every error is a LocalizedError to Foundation, but only what conforms has words.
  if let words = (error as? any LocalizedError)?.errorDescription { return words }
  return String(describing: error)
}
