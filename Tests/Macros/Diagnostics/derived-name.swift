import TidingsMacros

@ObservedProperties final class Report {
  var text = ""
  // error: '$changes' is the event of all properties: write another name than 'changes'
  @Derived var changes: Int { text.count }
}
