import TidingsMacros

@ObservedProperties final class Volume {
  // error: '$changes' is the event of all properties: write another name than 'changes', or '@Unobserved'
  var changes = 1
}
