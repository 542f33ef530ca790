public import Tidings

/// Several interactors that are committed together or not at all.
///
/// ```swift
/// let form = Form(name, street, number)
/// let subscription = form.isValid.observe(.initial) { change in saveButton.isEnabled = change.new }
/// try form.commit()
/// ```
///
/// Its interactors usually commit `.explicitly`; others also commit by themselves. The form retains them.
@MainActor
public final class Form {
  private struct Entry: Sendable {
    let isEdited: Derived<Bool>
    let isValid: Derived<Bool>
    let isChecking: ReadOnly<Bool>
    let hasConflict: Derived<Bool>
    let error: ReadOnly<(any Error)?>
    let prepare: @MainActor @Sendable () throws -> (@MainActor () throws -> Void)?
    let adopt: @MainActor @Sendable () -> Void
    let revert: @MainActor @Sendable () -> Void
    let keepMine: @MainActor @Sendable () -> Void
    let takeTheirs: @MainActor @Sendable () -> Void

    @MainActor init<Value>(_ interactor: Interactor<Value>) {
      (isEdited, isValid, isChecking) = (interactor.isEdited, interactor.isValid, interactor.isChecking)
      hasConflict = Derived("form.hasConflict") { [conflict = interactor.conflict] in conflict.value != nil }
      error = interactor.error
      prepare = { try interactor.prepare() }
      adopt = { interactor.adopt() }
      revert = { interactor.revert() }
      keepMine = { interactor.keepMine() }
      takeTheirs = { interactor.takeTheirs() }
    }
  }
  private nonisolated let entries: Observed<[Entry]>
  nonisolated var count: Int { untracked { entries.value.count } }
  private var rules: [@MainActor () throws -> Void] = []

  /// Whether every draft could be committed. Rules are not checked for it.
  public nonisolated let isValid: Derived<Bool>
  /// Whether any draft has been edited.
  public nonisolated let isEdited: Derived<Bool>
  /// Whether any draft is being checked by asynchronous validators.
  public nonisolated let isChecking: Derived<Bool>
  /// Whether any property was set elsewhere while its draft was edited: see ``Interactor/conflict``. Then ``commit()`` writes nothing.
  ///
  /// ```swift
  /// let subscription = form.hasConflict.observe(.initial) { change in choice.isVisible = change.new }
  /// ```
  public nonisolated let hasConflict: Derived<Bool>
  /// The errors, in the order of the interactors.
  public nonisolated let errors: Derived<[any Error]>
  /// The ``errors`` in words for a person.
  public nonisolated let explanations: Derived<[String]>

  /// Makes a form of interactors.
  ///
  /// - Parameter interactor: The interactors, in the order of their errors.
  public init<each Value>(_ interactor: repeat Interactor<each Value>) {
    var first: [Entry] = []
    repeat first.append(Entry(each interactor))
    let entries = Observed(first, label: "form.entries")
    self.entries = entries
    isValid = Derived("form.isValid") { entries.value.allSatisfy { $0.isValid.value } }
    isEdited = Derived("form.isEdited") { entries.value.contains { $0.isEdited.value } }
    isChecking = Derived("form.isChecking") { entries.value.contains { $0.isChecking.value } }
    hasConflict = Derived("form.hasConflict") { entries.value.contains { $0.hasConflict.value } }
    let errors = Derived("form.errors") { entries.value.compactMap { $0.error.value } }
    self.errors = errors
    explanations = Derived("form.explanations") { errors.value.map(explanation(of:)) }
  }

  /// Adds another interactor.
  ///
  /// - Parameter interactor: The interactor, after those that were added before.
  public func add<Value>(_ interactor: Interactor<Value>) {
    let entry = Entry(interactor)
    entries.update { $0.append(entry) }
  }

  /// Adds a rule over several values, which throws if it is broken.
  ///
  /// ```swift
  /// form.require { if low.value > high.value { throw InputRejection(.other, "The lower one is above the upper one.") } }
  /// ```
  ///
  /// It is called during a commit, after every draft has been written, so it reads the new values. If it throws, the
  /// transaction is rolled back, and no other code has seen the writes.
  ///
  /// - Parameter rule: Throws if the values contradict each other.
  public func require(_ rule: @escaping @MainActor () throws -> Void) { rules.append(rule) }

  /// Writes every draft, in one transaction: handlers see all changes simultaneously. If anything is wrong, none is written:
  /// also if a value was set elsewhere while its draft was edited, which is reported as an ``EditConflict``, or an element was removed,
  /// which is reported as an ``ElementRemoved``. ``keepMine()`` and ``takeTheirs()`` resolve all conflicts.
  ///
  /// - Throws: ``FormErrors`` with every error.
  public func commit() throws(FormErrors) {
    var (writes, errors): ([@MainActor () throws -> Void], [any Error]) = ([], [])
    for entry in entries.value {
      do {
        if let write = try entry.prepare() { writes.append(write) }
      } catch {
        errors.append(error)
      }
    }
    if !errors.isEmpty { throw FormErrors(errors) }
    do {
      try transaction { () throws in
        for write in writes { try write() }
        for rule in rules {
          do { try rule() } catch { errors.append(error) }
        }
        if !errors.isEmpty { throw FormErrors(errors) }
      }
    } catch let error as FormErrors {
      throw error
    } catch {
      // Another thread has removed an element meanwhile.
      throw FormErrors([error])
    }
    for entry in entries.value { entry.adopt() }
  }

  /// Discards every draft.
  public func revert() {
    transaction { for entry in entries.value { entry.revert() } }
  }

  /// Resolves every conflict in favor of the drafts, in one transaction: the next ``commit()`` replaces the values that came.
  ///
  /// Interactors that do not commit `.explicitly` may write immediately: see ``Interactor/keepMine()``. It does nothing without a
  /// conflict. A value that comes afterwards is a new one.
  public func keepMine() {
    transaction { for entry in entries.value { entry.keepMine() } }
  }

  /// Resolves every conflict in favor of the values that came, in one transaction: their drafts are discarded. Drafts without a conflict
  /// are kept.
  public func takeTheirs() {
    transaction { for entry in entries.value { entry.takeTheirs() } }
  }

  /// Returns when no asynchronous validator is running, or when the task is cancelled.
  public func idle() async {
    for await isChecking in isChecking.stream(.latest) where !isChecking { return }
  }
}

/// Every error of a form's commit.
public struct FormErrors: Error, CustomStringConvertible {
  /// The errors, in the order of the interactors and then of the rules.
  public let errors: [any Error]
  init(_ errors: [any Error]) { self.errors = errors }

  public var description: String { errors.map(explanation(of:)).joined(separator: "\n") }
}
