/// The delivery contract, as checks that run on any event type.
///
/// ```swift
/// let report = await Contract.check(
///   EventUnderTest(
///     "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() }))
/// #expect(report.isKept, "\(report)")
/// ```
///
/// It works with every test framework: a broken sentence is reported, and nothing traps. A type that departs from a sentence
/// on purpose names it, with its reason, and the report lists it:
///
/// ```swift
/// await Contract.check(notifier, except: [4: "depth-first, as its users expect"])
/// ```
///
/// The checks of threads show a race by many interleavings; the whole suite takes well under a second per type.
public enum Contract {
  /// Every law of the kit, in the contract's order.
  ///
  /// - Parameter type: The description of the type to check.
  /// - Returns: The laws, of which some may not apply to the type.
  public static func laws<Source, Token>(
    for type: EventUnderTest<Source, Token>
  ) -> [Law<Source, Token>] {
    [
      .order, .agreement, .beginning, .queueing, .completeness,
      .cancelling, .finishing, .once, .identity,
      .anyThread, .freedom, .isolation, .failure,
      .tokens, .release, .cycles,
    ]
  }

  /// Checks every law that applies to a type.
  ///
  /// - Parameters:
  ///   - type: The description of the type.
  ///   - exceptions: The sentences from which the type departs on purpose, each with its reason. They are not checked.
  ///   - provingExceptions: Whether to check the exceptions too, and report those that the type keeps as `needless`. Leave it
  ///     off where such a check would trap.
  /// - Returns: The report.
  public static func check<Source, Token>(
    _ type: EventUnderTest<Source, Token>,
    except exceptions: [Int: String] = [:],
    provingExceptions: Bool = false
  ) async -> ContractReport {
    var report = ContractReport(subject: type.name, excepted: exceptions)
    for law in laws(for: type) {
      if let reason = law.obstacle(type) {
        report.skipped[law.number] = reason
      } else if exceptions[law.number] == nil {
        let violations = await law.violations(by: type)
        if violations.isEmpty { report.kept.append(law.number) }
        report.violations += violations
      } else if provingExceptions, await law.violations(by: type).isEmpty {
        report.needless.append(law.number)
      }
    }
    return report
  }
}
