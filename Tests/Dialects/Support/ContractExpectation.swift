import Testing
import TidingsTesting

/// Expects that a dialect's event keeps exactly these sentences of the contract, and needs every exception.
///
/// - Parameter mayNeed: Exceptions of which it depends on the threads whether they are needed.
func expectContract<Source, Token>(
  _ type: EventUnderTest<Source, Token>, except exceptions: [Int: String] = [:], mayNeed: Set<Int> = [],
  kept: [Int], sourceLocation: SourceLocation = #_sourceLocation
) async {
  let report = await Contract.check(type, except: exceptions, provingExceptions: true)
  #expect(report.isKept, "\(report)", sourceLocation: sourceLocation)
  #expect(Set(report.needless).isSubset(of: mayNeed), "\(report)", sourceLocation: sourceLocation)
  #expect(report.kept == kept, "\(report)", sourceLocation: sourceLocation)
}
