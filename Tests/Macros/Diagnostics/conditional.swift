import TidingsMacros

@ObservedProperties final class Report {
  var text = ""
  // error: a macro does not see which part of '#if' is compiled: write the property outside, or '@Unobserved'
  #if os(Linux)
  var path = ""
  #endif
}
