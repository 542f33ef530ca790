import Testing

@testable import tour

struct TextTests {
  @Test func `Figures are rounded and keep their zeros`() {
    #expect([39.81, 7, 0.005, 1234.999, 99.995].map { $0.fixed(2) } == ["39.81", "7.00", "0.01", "1235.00", "100.00"])
    #expect((-0.05).fixed(1) == "-0.1")
    #expect(0.0123.dollars == "0.0123")
    #expect((-0.577).percent == "−57.7 %")
    #expect(0.1.percent == "+10.0 %")
  }

  @Test func `A sparkline spans its own range and leaves gaps`() {
    #expect(String(sparkline([1, nil, 4.5, 8])) == "▁ ▅█")
    #expect(String(sparkline([3, 3])) == "▄▄")
    #expect(String(sparkline([nil])) == " ")
  }

  @Test func `A bar shows whatever is not nothing`() {
    #expect(bar(0, of: 10, width: 8) == "")
    #expect(bar(1, of: 1000, width: 8) == "█")
    #expect(bar(10, of: 10, width: 8).count == 8)
  }

  @Test func `Words are listed as people do`() {
    #expect(listed(["A"]) == "A")
    #expect(listed(["A", "B", "C"]) == "A, B and C")
    #expect(listed(["A", "B", "C", "D"], limit: 2) == "A, B and 2 more")
    #expect(counted(1, "price") == "1 price")
    #expect(counted(2, "price") == "2 prices")
  }

  @Test func `Paragraphs keep within their width`() {
    #expect("aa bb cc dd".wrapped(to: 5) == ["aa bb", "cc dd"])
    #expect("aaaaaaa b".wrapped(to: 5) == ["aaaaaaa", "b"])
  }
}
