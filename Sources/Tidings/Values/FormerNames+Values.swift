// Goes with `FormerNames.swift`.
extension Observed {
  package var diagnosis: Diagnostics { diagnostics }
}
extension LocalObserved {
  package var diagnosis: Diagnostics { diagnostics }
}
extension Derived {
  package var diagnosis: Diagnostics { diagnostics }
}
