import Tidings

extension Interactor {
  /// Writes what the draft stands for: one write, or none if the property holds that value already or nothing was edited.
  ///
  /// Handlers see the property and everything that is said here change as one. While somebody is at the control the text
  /// stays as it was typed; when the editing ends it is what the value looks like.
  ///
  /// - Throws: Why it is not written: the format's ``Refusal``, what a validator threw, or ``StillChecking``. The draft
  ///   stays.
  public func commit() throws {
    if let write = try prepare() { transaction { write() } }
  }

  /// Drops the draft: the control shows the property's value again, also while it is being edited.
  public func revert() {
    forgetCheck()
    transaction {
      checking.set(false)
      refused.set(nil)
      showValue()
    }
  }

  /// What a commit is to do, in a transaction; nil when there is nothing to write.
  func prepare() throws -> (@MainActor () -> Void)? {
    let verdict = judge(drafted.value)
    if case .failure(let error) = verdict {
      objection.set(error)
      throw error
    }
    guard isEdited.value else { return nil }
    switch check {
    case .running: throw StillChecking()
    case .failed(let error): throw error
    case .passed, .none: break
    }
    let value = try verdict.get()
    if case .none = check, !laterValidators.isEmpty {
      // Disconnected meanwhile, or what was known of it was taken back.
      checking.set(true)
      ask(value)
      throw StillChecking()
    }
    return { [self] in
      objection.set(nil)
      write(value)
    }
  }

  /// The editing ends, or wants to.
  func commitIfPossible() {
    guard isEdited.value else { return }
    do {
      try commit()
    } catch is StillChecking {
      isAwaited = true
    } catch {
      // It is said in `error` already, and the draft stays.
    }
  }

  /// The one place at which the property is written. In a transaction.
  func write(_ value: Value) {
    if part.value != value { part.set(value) }
    let text = attended.value ? drafted.value : format.format(part.value)
    base.set(text)
    drafted.set(text)
  }
}
