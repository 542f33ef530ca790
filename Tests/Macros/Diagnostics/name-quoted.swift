import TidingsMacros

@ObservedProperties final class Report {
  // error: `default` cannot have a '$' in front: write another name, or '@Unobserved'
  var `default` = 1
}
