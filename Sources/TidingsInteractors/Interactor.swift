public import Tidings

/// Connects a text field to a property: it validates and writes what is typed, and shows what is written.
///
/// ```swift
/// let interactor = Interactor(price, in: field, as: format, validators: [.require("Above zero, please.") { $0 > 0 }])
/// let subscription = interactor.explanation.observe(.initial) { change in hint.text = change.new ?? "" }
/// ```
///
/// Each edit is passed to the format, which accepts, changes or rejects it. The resulting text of the field is the
/// ``draft``. The draft is parsed and validated, and written when the ``CommitPolicy`` requires it: with one write, in a
/// transaction with the published state of this interactor.
///
/// The field follows the property while it is not being edited. While a person edits it, the text is theirs, whatever
/// happens to the property, and neither overwrites the other: see ``conflict``. A draft that is not accepted is kept when the focus moves: it is committed or reverted, never
/// lost. The field and the property cannot drive each other in a cycle, because only a person's change is ever written, and
/// showing a text is not a person's change. This also holds when the format rounds, or when a handler of the property sets
/// it to something else.
///
/// It retains the property and the control; neither retains it. Keep it for as long as the two are to be connected. Several
/// interactors may edit one property, or parts of it.
@MainActor
public final class Interactor<Value: Sendable & Equatable> {
  let part: Projection<Value>
  /// The control that edits the property.
  public let control: any TextControl
  let format: any TextFormat<Value>
  let policy: CommitPolicy
  let validators: [@MainActor @Sendable (Value) throws -> Void]
  let laterValidators: [@Sendable (Value) async throws -> Void]

  // The published state, all of it in values: a transaction that throws reverts it together with the property.
  nonisolated let drafted: Observed<String>
  /// The text of the property's value: a draft that differs has been edited.
  nonisolated let base: Observed<String>
  /// The property's value of which the draft was made.
  nonisolated let origin: Observed<Value>
  nonisolated let rejected = Observed<InputRejection?>(nil, label: "interactor.rejection", changes: .distinct)
  nonisolated let objection = Observed<(any Error)?>(nil, label: "interactor.error", changes: .by(saysTheSame))
  nonisolated let attended = Observed(false, label: "interactor.isEditing", changes: .distinct)
  /// The rejected edits after which the draft may be ambiguous.
  nonisolated let doubts = Observed(Doubts(), label: "interactor.doubts")
  nonisolated let checking = Observed(false, label: "interactor.isChecking", changes: .distinct)

  var check = Check.none
  /// Incremented by every draft, so that a late answer can be recognized.
  var generation = 0
  /// The text before an input method began to compose, and the part of it that is replaced.
  var composition: EditedText?
  /// Whether the property was written, so that handlers may have set it to another value. A value, so that a transaction that throws
  /// reverts it with the write.
  let hasWritten = Observed(false, label: "interactor.hasWritten", changes: .distinct)
  /// How often it was written.
  let writes = Observed(0, label: "interactor.writes")
  /// The same, as a derived value: its handler is called when those of the property have been, also for a write in one of them.
  private let propagatedWrites: Derived<Int>
  /// Whether the draft was found ambiguous.
  var isDoubted = false
  /// Whether the draft is to be written as soon as it is valid.
  var isAwaited = false

  /// Whether the control and the property are connected.
  public private(set) var isActive = false
  private var signals: [LocalSubscription] = []
  private var subscriptions: [Subscription] = []

  /// Whether the person has changed the text since it last showed the property's value or was written.
  ///
  /// It compares texts, and not with the property's present value: when that is set elsewhere while the control is being
  /// edited, an edited draft stays edited, and one that is not stays unedited. See ``conflict``.
  public nonisolated let isEdited: Derived<Bool>
  /// Whether the draft could be committed now.
  public nonisolated let isValid: Derived<Bool>
  /// The property's value, if it was set elsewhere while the person edited, so that a commit would overwrite it. Otherwise nil,
  /// also when the draft has that value.
  ///
  /// ```swift
  /// let subscription = interactor.conflict.observe { change in choice.isVisible = change.new != nil }
  /// ```
  ///
  /// The draft cannot be committed until the conflict is resolved: by ``keepMine()``, by ``takeTheirs()``, or by itself when the
  /// property again has the value of which the draft was made. Meanwhile the ``error`` is an ``EditConflict``, which ``commit()``
  /// and ``Form/commit()`` throw. What handlers of the property make of a value that this interactor writes is no conflict.
  public nonisolated let conflict: Derived<Value?>
  /// The ``error`` in words for a person.
  public nonisolated let explanation: Derived<String?>

  /// Connects a property and a control, which shows the property's value from now on.
  ///
  /// - Parameters:
  ///   - property: The value to edit.
  ///   - control: The field in which it is edited.
  ///   - format: Writes and parses the value, and restricts what may be typed.
  ///   - policy: When the draft is written.
  ///   - validators: Further rules for the value, in the order in which they are checked.
  public convenience init(
    _ property: Observed<Value>, in control: any TextControl, as format: some TextFormat<Value>,
    committing policy: CommitPolicy = .atEnd, validators: [Validator<Value>] = []
  ) {
    self.init(Projection(property), in: control, as: format, committing: policy, validators: validators)
  }

  /// Connects a part of a property, or an element of a collection, and a control.
  ///
  /// ```swift
  /// let interactor = Interactor(Projection(person).address.street, in: field, as: .text)
  /// ```
  ///
  /// An element that is moved is edited on. If it is removed, an edited draft is kept, and cannot be committed: the ``error`` is an
  /// ``ElementRemoved`` until the collection has the element again.
  ///
  /// - Parameters:
  ///   - part: The part to edit.
  ///   - control: The field in which it is edited.
  ///   - format: Writes and parses the value, and restricts what may be typed.
  ///   - policy: When the draft is written.
  ///   - validators: Further rules for the value, in the order in which they are checked.
  public init(
    _ part: Projection<Value>, in control: any TextControl, as format: some TextFormat<Value>,
    committing policy: CommitPolicy = .atEnd, validators: [Validator<Value>] = []
  ) {
    self.part = part
    self.control = control
    self.format = format
    self.policy = policy
    self.validators = validators.compactMap { if case .now(let check) = $0.kind { check } else { nil } }
    laterValidators = validators.compactMap { if case .later(let check) = $0.kind { check } else { nil } }
    let value = part.value
    let text = format.format(value)
    let (drafted, base, objection, checking) = (
      Observed(text, label: "interactor.draft", changes: .distinct),
      Observed(text, label: "interactor.base", changes: .distinct), objection, checking
    )
    self.drafted = drafted
    self.base = base
    let origin = Observed(value, label: "interactor.origin")
    self.origin = origin
    conflict = Derived("interactor.conflict") { [readOnly = part.readOnly] in
      if drafted.value == base.value { return nil }
      let current = readOnly.value
      if areSame(current, origin.value) { return nil }
      if let mine = try? format.parse(drafted.value), areSame(mine, current) { return nil }
      return current
    }
    propagatedWrites = writes.map { $0 }
    isEdited = Derived("interactor.isEdited") { drafted.value != base.value }
    isValid = Derived("interactor.isValid") { objection.value == nil && !checking.value }
    explanation = Derived("interactor.explanation") { objection.value.map(TidingsInteractors.explanation(of:)) }
    activate()
  }

  // The handlers that the control and the property retain hold this weakly, and end with it.
  deinit {
    check.cancel()
    for subscription in subscriptions { subscription.cancel() }
  }

  // MARK: What can be seen

  /// The text in the control: what a person is typing, or the formatted value of the property.
  public nonisolated var draft: ReadOnly<String> { drafted.readOnly }
  /// The property's value: the last committed one, or one that other code has set. An element that was removed keeps its last value.
  public nonisolated var committed: ReadOnly<Value> { part.readOnly }
  /// Why the draft cannot be committed: the format's ``InputRejection``, the error of a validator, an ``EditConflict``, or an
  /// ``ElementRemoved``. For a draft that was not edited, the errors of the validators for the property's value.
  public nonisolated var error: ReadOnly<(any Error)?> { objection.readOnly }
  /// Why the last edit was rejected; nil after the next that is accepted, and when the editing ends. A separator that was
  /// rejected, and without which the text is ambiguous, stays here while the person types on.
  public nonisolated var rejection: ReadOnly<InputRejection?> { rejected.readOnly }
  /// Whether the control is being edited.
  public nonisolated var isEditing: ReadOnly<Bool> { attended.readOnly }
  /// Whether asynchronous validators are checking the draft.
  public nonisolated var isChecking: ReadOnly<Bool> { checking.readOnly }

  // MARK: The connection

  /// Connects again. The control shows the draft, or the value if there is none. `init` calls it; calling it twice does
  /// nothing.
  public func activate() {
    guard !isActive else { return }
    isActive = true
    signals = [
      control.shouldChange.handle(with: self) { interactor, edit in interactor.answer(edit) },
      control.shouldClear.handle(with: self) { interactor, _ in interactor.answerClearing() },
      control.shouldReturn.handle(with: self) { interactor, _ in interactor.answerReturn() },
      control.didChange.observe(with: self) { interactor, _ in interactor.take(interactor.control.text) },
      control.didBeginEditing.observe(with: self) { interactor, _ in interactor.attended.set(true) },
      control.didEndEditing.observe(with: self) { interactor, _ in interactor.ended() },
    ]
    subscriptions = [
      part.readOnly.observe(with: self) { interactor, _ in interactor.follow() },
      drafted.observe(with: self) { interactor, _ in interactor.show() },
      propagatedWrites.observe(with: self) { interactor, _ in interactor.origin.set(interactor.part.value) },
    ]
    if let isRemoved = part.isRemoved {
      subscriptions.append(isRemoved.observe(with: self) { interactor, _ in interactor.follow() })
    }
    attended.set(control.isEditing)
    isEdited.value ? consider(drafted.value) : showValue()
    show()
  }

  /// Disconnects: the control keeps its text, and the control and the property no longer notify each other. A draft is kept
  /// for ``activate()``; a commit has it checked again by the asynchronous validators. Calling it twice does nothing.
  public func deactivate() {
    guard isActive else { return }
    isActive = false
    for subscription in signals { subscription.cancel() }
    for subscription in subscriptions { subscription.cancel() }
    (signals, subscriptions) = ([], [])
    forgetCheck()
    transaction {
      checking.set(false)
      attended.set(false)
    }
  }
}
