/// Prints, before the first chapter, which prices the tour uses.
@MainActor
enum Overture {
  /// - Parameter left: How many prices gave way to a later one of their month.
  static func present(of market: Market, left: Int, on page: Page) {
    let months = market.months
    let span = months.count == 1 ? months[0].name : "\(months[0].name) to \(months[months.count - 1].name)"
    page.line(page.styled("T I D I N G S", .bold) + "   a tour in \(counted(chapters.count, "chapter"))")
    page.line()
    page.say(
      "The prices: \(counted(market.closes.count, "monthly close")) of \(listed(market.symbols)), \(span), in dollars. "
        + "Every figure below was collected by handlers of events while these prices were played, month by month."
        + (left == 0 ? "" : " Of several prices of one month the latest is its close; \(left) gave way to it."))
  }
}
