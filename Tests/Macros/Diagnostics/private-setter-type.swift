import TidingsMacros

struct Price { var amount = 1 }

@ObservedProperties final class Order {
  // error: the type of 'price', whose '$price' only reads, cannot be inferred by a macro: write 'var price: Type'
  private(set) var price = Price()
}
