import Testing
import Tidings
import TidingsInteractors

@Suite("Descriptions of what edits")
@MainActor
struct InteractorDescriptionTests {
  private func children(_ subject: Any) -> [String] {
    Mirror(reflecting: subject).children.map { "\($0.label ?? "-"): \($0.value)" }
  }

  @Test(
    "Each says what it is, its value and its state; nothing is computed, and no value that is computed depends on it")
  func descriptions() {
    let (quantity, field) = (Observed(2, label: "quantity"), MemoryTextControl())
    let interactor = Interactor(quantity, in: field, as: .integer())
    #expect("\(interactor)" == #"Interactor<Int> (draft "2")"#)
    field.begin()
    _ = field.paste("3")
    #expect("\(interactor)" == #"Interactor<Int> (draft "\#(field.text)", editing)"#)
    #expect("\(field)" == #"MemoryTextControl "\#(field.text)""#)
    #expect(children(interactor).contains("isEditing: true") && children(field).contains("isEditing: true"))
    let shown = Derived { "\(interactor) \(Mirror(reflecting: interactor).children.count)" }
    let before = shown.value
    _ = field.clear()
    #expect(shown.value == before, "printing is no dependency")

    let form = Form(interactor)
    #expect("\(form)" == "Form (1 interactor)")
    #expect(children(form).prefix(1) == ["interactors: 1"])
    #expect(children(form).contains("errors: Derived 'form.errors': not computed, 0 subscriptions"))

    let (left, right) = (Observed(1, label: "left"), Observed(1))
    let bond = bind(left, right)
    #expect("\(bond)" == "Bond (active)" && children(bond) == ["state: active", "error: nil"])
    bond.cancel()
    #expect("\(bond)" == "Bond (cancelled)")
    #expect("\(Projection(left))" == "Projection of ReadOnly Observed 'left': 1, 0 subscriptions")
    #expect(children(Projection(left)) == ["readOnly: ReadOnly Observed 'left': 1, 0 subscriptions"])
  }

  /// As the documentation shows it.
  private func shown(_ interactor: Interactor<Double>, _ form: Form) {
    print(interactor)  // Interactor<Double> (draft "40.5", editing)
    print(form)  // Form (2 interactors)
  }

  @Test("A control says what it shows, its signals how many subscribe, a validator when it answers")
  func parts() {
    let reported = ReportedTextControl("draft") { _ in }
    #expect("\(reported)" == #"ReportedTextControl "draft""#)
    #expect(children(reported).prefix(1) == ["text: draft"])
    let subscription = reported.didChange.observe {}
    #expect("\(reported.signals)" == "TextControlSignals (1 subscription)")
    #expect(children(reported.signals).contains("didChange: LocalEvent<()> 'control.didChange' (1 subscription)"))
    subscription.cancel()
    #expect("\(reported.signals)" == "TextControlSignals (0 subscriptions)")
    #expect("\(Validator<Int> { _ in })" == "Validator<Int> (immediate)")
    #expect("\(Validator<Int>.later { _ in })" == "Validator<Int> (asynchronous)")
    #expect("\(Conversion<Int, String>(to: { "\($0)" }, from: { Int($0) ?? 0 }))" == "Conversion<Int, String>")
  }
}
