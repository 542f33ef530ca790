import TidingsMacros

@ObservedProperties final class Order {
  var quantity = 1
  // error: cycle: 'net' → 'tax' → 'net': write one of them without reading the next
  @Derived var net: Int { gross - tax }
  // error: cycle: 'tax' → 'net' → 'tax': write one of them without reading the next
  @Derived var tax: Int { net * quantity }
  // error: cycle: 'gross' → 'gross': write one of them without reading the next
  @Derived var gross: Int { gross + 1 }
}
