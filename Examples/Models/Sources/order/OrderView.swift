#if canImport(SwiftUI)
import SwiftUI

struct OrderView: View {
  let order: Order
  var body: some View { Text("\(order.quantity) for \(order.total)") }
}
#endif
