import TidingsMacros

@ObservedProperties final class Report {
  // error: a lazy property cannot be observed: write '@Derived var text: Type { … }' if it follows from others, or '@Unobserved'
  lazy var text = "report"
}
