import Tidings

extension Interactor {
  /// Writes the value of the draft: one write, or none if the property has that value already or nothing was edited.
  ///
  /// Handlers see the property and the state of this interactor change in one transaction. While the control is being edited
  /// the text stays as it was typed; when the editing ends it becomes the formatted value.
  ///
  /// - Throws: Why nothing was written: the format's ``InputRejection``, the error of a validator, an ``EditConflict``, an
  ///   ``ElementRemoved``, or ``ValidationPending``. The draft is kept.
  public func commit() throws {
    if let write = try prepare() {
      do {
        try transaction { () throws in try write() }
      } catch {
        objection.set(error)
        throw error
      }
    }
    adopt()
  }

  /// Discards the draft: the control shows the property's value again, also while it is being edited.
  public func revert() {
    forgetCheck()
    transaction {
      checking.set(false)
      rejected.set(nil)
      showValue()
    }
  }

  /// The writes of a commit, for a transaction; nil when there is nothing to write.
  func prepare() throws -> (@MainActor () throws -> Void)? {
    let verdict = judge(drafted.value)
    if case .failure(let error) = verdict {
      objection.set(error)
      throw error
    }
    guard isEdited.value else { return nil }
    switch check {
    case .running: throw ValidationPending()
    case .failed(let error): throw error
    case .passed, .none: break
    }
    let value = try verdict.get()
    if case .none = check, !laterValidators.isEmpty {
      // The interactor was disconnected meanwhile, or a rollback reverted what was known of the draft.
      checking.set(true)
      ask(value)
      throw ValidationPending()
    }
    return { [self] in
      objection.set(nil)
      try write(value)
    }
  }

  /// Called when the editing ends, or is about to end.
  func commitIfPossible() {
    guard isEdited.value else { return }
    do {
      try commit()
    } catch is ValidationPending {
      isAwaited = true
    } catch {
      // `error` has the reason already, and the draft is kept.
    }
  }

  /// Publishes what a closure sets, in one transaction with a write. Another thread may remove the element before the transaction
  /// ends: then nothing is written, and that is the error.
  func publish(writing value: Value?, _ state: () -> Void) {
    do {
      try transaction { () throws in
        state()
        if let value { try write(value) }
      }
    } catch {
      transaction {
        state()
        objection.set(error)
      }
    }
    adopt()
  }

  /// The only place at which the property is written. Called in a transaction that may throw.
  ///
  /// - Throws: ``ElementRemoved``.
  func write(_ value: Value) throws {
    if !areSame(part.value, value) { try part.write(value) }
    hasWritten.set(true)
    writes.update { $0 += 1 }
    origin.set(value)
    let text = attended.value ? drafted.value : format.format(part.value)
    if !attended.value { doubts.set(Doubts()) }
    base.set(text)
    drafted.set(text)
  }
}
