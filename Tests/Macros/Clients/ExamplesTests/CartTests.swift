import Foundation
import Testing

@Suite("The cart of the examples")
struct CartTests {
  @Test("The class of eight observed properties has a body of at most 40 lines")
  func lines() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Examples/Models/Sources/cart/Cart.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.contains("final class Cart") })
    let end = try #require(lines[start...].firstIndex { $0 == "}" })
    let body = lines[(start + 1)..<end]
    #expect(body.count <= 40)
    let properties = body.filter { $0.hasPrefix("  ") && $0.contains("var ") && !$0.contains("@Derived") }
    #expect(properties.count == 8)
  }
}
