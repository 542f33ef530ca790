public import Tidings

/// Connects a text field to a property: what is typed is checked and written, and what is written is shown.
///
/// ```swift
/// let interactor = Interactor(price, in: field, as: format, validators: [.require("Above zero, please.") { $0 > 0 }])
/// let subscription = interactor.explanation.observe(.initial) { change in hint.text = change.new ?? "" }
/// ```
///
/// Each key is put to the format, which lets it through, does something better with it or refuses it. What then stands in
/// the field is the ``draft``. It is read as a value and put to the validators, and written when the ``CommitPolicy`` says
/// so: with one write, in a transaction with everything that is said here of it.
///
/// The field follows the property while nobody edits it. While somebody does, the text is theirs, whatever happens to the
/// property, and a draft that is not accepted stays when the focus goes: it is committed or reverted, never lost. The two
/// cannot drive each other in circles, since only a person's change is ever written, and showing is not a person's change:
/// also when the format rounds, or a handler of the property sets it to something else.
///
/// It keeps the property and the control, and neither keeps it: keep it as long as the two are to be connected. Several
/// may edit one property, or parts of it.
@MainActor
public final class Interactor<Value: Sendable & Equatable> {
  let part: Part<Value>
  public let control: any TextControl
  let format: any TextFormat<Value>
  let policy: CommitPolicy
  let validators: [@MainActor @Sendable (Value) throws -> Void]
  let laterValidators: [@Sendable (Value) async throws -> Void]

  // What is known, all of it values: a transaction that throws takes it back together with the property.
  nonisolated let drafted: Observed<String>
  /// The text that stands for what the property holds: a draft that differs has been edited.
  nonisolated let base: Observed<String>
  nonisolated let refused = Observed<Refusal?>(nil, label: "interactor.refusal", changes: .distinct)
  nonisolated let objection = Observed<(any Error)?>(nil, label: "interactor.error", changes: .by(saysTheSame))
  nonisolated let attended = Observed(false, label: "interactor.isEditing", changes: .distinct)
  nonisolated let checking = Observed(false, label: "interactor.isChecking", changes: .distinct)

  var check = Check.none
  /// Goes up with every draft, so that a late answer knows whether it still matters.
  var generation = 0
  /// Whether the draft is to be written as soon as it has passed.
  var isAwaited = false

  public private(set) var isActive = false
  private var signals: [LocalSubscription] = []
  private var subscriptions: [Subscription] = []

  /// Whether the draft differs from what the property's value looks like.
  public nonisolated let isEdited: Derived<Bool>
  /// Whether the draft could be committed now.
  public nonisolated let isValid: Derived<Bool>
  /// ``error`` in words for a person.
  public nonisolated let explanation: Derived<String?>

  /// Connects the two: the control shows the property's value from now on.
  ///
  /// - Parameters:
  ///   - property: What is edited.
  ///   - control: Where it is edited.
  ///   - format: How the value is written, and what may be typed.
  ///   - policy: When what was typed is written.
  ///   - validators: What a value must be besides.
  public convenience init(
    _ property: Observed<Value>, in control: any TextControl, as format: some TextFormat<Value>,
    committing policy: CommitPolicy = .atEnd, validators: [Validator<Value>] = []
  ) {
    self.init(Part(property), in: control, as: format, committing: policy, validators: validators)
  }

  /// The same for a part of a property.
  ///
  /// ```swift
  /// let interactor = Interactor(Part(person).address.street, in: field, as: .text)
  /// ```
  public init(
    _ part: Part<Value>, in control: any TextControl, as format: some TextFormat<Value>,
    committing policy: CommitPolicy = .atEnd, validators: [Validator<Value>] = []
  ) {
    self.part = part
    self.control = control
    self.format = format
    self.policy = policy
    self.validators = validators.compactMap { if case .now(let check) = $0.kind { check } else { nil } }
    laterValidators = validators.compactMap { if case .later(let check) = $0.kind { check } else { nil } }
    let text = format.format(part.value)
    let (drafted, base, objection, checking) = (
      Observed(text, label: "interactor.draft", changes: .distinct),
      Observed(text, label: "interactor.base", changes: .distinct), objection, checking
    )
    self.drafted = drafted
    self.base = base
    isEdited = Derived("interactor.isEdited") { drafted.value != base.value }
    isValid = Derived("interactor.isValid") { objection.value == nil && !checking.value }
    explanation = Derived("interactor.explanation") { objection.value.map(TidingsInteractors.explanation(of:)) }
    activate()
  }

  // What the control and the property keep knows this weakly, and ends with it.
  deinit {
    check.cancel()
    for subscription in subscriptions { subscription.cancel() }
  }

  // MARK: What can be seen

  /// The text in the control: what somebody is typing, or what the property's value looks like.
  public nonisolated var draft: ReadOnly<String> { drafted.readOnly }
  /// What the property holds: the value last committed, or what somebody else has set.
  public nonisolated var committed: ReadOnly<Value> { part.readOnly }
  /// Why the draft cannot be committed: the format's ``Refusal``, or what a validator threw. Of a draft that is not
  /// edited, what the validators say of the property's value.
  public nonisolated var error: ReadOnly<(any Error)?> { objection.readOnly }
  /// Why the last key was refused; nil after the next that is not.
  public nonisolated var refusal: ReadOnly<Refusal?> { refused.readOnly }
  /// Whether somebody is at the control.
  public nonisolated var isEditing: ReadOnly<Bool> { attended.readOnly }
  /// Whether the draft waits for validators that take their time.
  public nonisolated var isChecking: ReadOnly<Bool> { checking.readOnly }

  // MARK: The connection

  /// Connects again. The control shows the draft, or the value if there is none. Done by `init`; twice does nothing.
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
    ]
    attended.set(control.isEditing)
    isEdited.value ? consider(drafted.value) : showValue()
    show()
  }

  /// Disconnects: the control keeps its text, and neither hears of the other any more. A draft is kept for
  /// ``activate()``; a commit has it checked anew by the validators that take their time. Twice does nothing.
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
