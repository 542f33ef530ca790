import Tidings

/// The result of the asynchronous validators for a draft.
enum Check {
  case none
  case running(Task<Void, Never>)
  case passed
  case failed(any Error)

  func cancel() { if case .running(let task) = self { task.cancel() } }
}

extension Interactor {
  /// Whether a draft is written as soon as it is valid. A text that an input method is composing is not.
  var writesImmediately: Bool { policy == .everyChange && !control.isComposing }

  /// Makes a text the draft, and determines whether it can be committed.
  func consider(_ text: String) {
    forgetCheck()
    let number = generation
    isDoubted = doubt(of: text) != nil
    let (isEdited, verdict) = (text != base.value, judge(text))
    let value = isEdited ? try? verdict.get() : nil
    publish(writing: laterValidators.isEmpty && writesImmediately ? value : nil) {
      drafted.set(text)
      objection.set(verdict.failure)
      checking.set(value != nil && !laterValidators.isEmpty)
    }
    // A handler may have changed the draft again.
    guard number == generation, let value, !laterValidators.isEmpty else { return }
    ask(value)
  }

  /// Passes a value to the asynchronous validators.
  func ask(_ value: Value) {
    let (number, validators) = (generation, laterValidators)
    check = .running(
      Task { [weak self] in
        let answer: (any Error)?
        do {
          for validator in validators { try await validator(value) }
          answer = nil
        } catch {
          answer = error
        }
        self?.checked(value, number, answer)
      })
  }

  /// Parses and validates a text: the value that may be written, or the error. For a text that was not edited, it validates
  /// the property's own value, which the text may show rounded.
  func judge(_ text: String) -> Result<Value, any Error> {
    Result {
      let isEdited = text != base.value
      if isEdited, part.isRemoved?.value == true { throw ElementRemoved() }
      if let doubt = doubt(of: text) { throw doubt }
      let value = isEdited ? try format.parse(try confirmed(text)) : part.value
      if let objection = objection(to: value) { throw objection }
      if isEdited, let theirs = theirs(against: value) { throw EditConflict(text: format.format(theirs)) }
      return value
    }
  }

  /// Returns the text that the format makes of a text that an input method is composing, once it is confirmed.
  private func confirmed(_ text: String) throws(InputRejection) -> String {
    guard let composition, text != composition.text else { return text }
    let edit = TextEdit(from: composition, to: EditedText(text, selection: control.selection))
    return try format.edit(edit, of: composition.text).text
  }

  func objection(to value: Value) -> (any Error)? {
    for validator in validators {
      do { try validator(value) } catch { return error }
    }
    return nil
  }

  /// Called when the draft is replaced or discarded: the running check of it no longer matters.
  func forgetCheck() {
    generation += 1
    check.cancel()
    check = .none
    isAwaited = false
  }

  private func checked(_ value: Value, _ number: Int, _ answer: (any Error)?) {
    // The answer is about a text that has been replaced.
    guard number == generation else { return }
    check = answer.map { .failed($0) } ?? .passed
    // The synchronous validators may read other values, which may have changed meanwhile.
    let objection = answer ?? objection(to: value)
    publish(writing: objection == nil && (isAwaited || isActive && writesImmediately) ? value : nil) {
      checking.set(false)
      self.objection.set(objection)
    }
  }

  /// Returns when no asynchronous validator is running: immediately when there is none, or when the task is cancelled.
  public func idle() async {
    for await isChecking in checking.stream(.latest) where !isChecking { return }
  }
}

extension Result where Failure == any Error {
  init(_ body: () throws -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }
  var failure: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
