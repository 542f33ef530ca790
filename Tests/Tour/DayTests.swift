import Testing

@testable import tour

struct DayTests {
  @Test(arguments: ["Jan 1 2000", "Feb 29 2004", "Dec 31 2010", "Feb 29 2000", "Mar 01 0099"])
  func `A day of the calendar is read`(text: String) {
    #expect(Day(text) != nil)
  }

  @Test(arguments: [
    "", "Jan 2000", "Jan 1 2000 1", "Foo 1 2000", "jan 1 2000", "Jan 0 2000", "Jan 32 2000", "Apr 31 2001",
    "Feb 29 2001",
    "Feb 29 1900", "Jan +1 2000", "Jan 1 00", "Jan 1 20000", "2000-01-01", "Jan 1, 2000", "Jan 1 ２０００",
  ])
  func `Anything else is not`(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func `Days follow each other as in the calendar`() throws {
    let days = try ["Dec 31 1999", "Jan 1 2000", "Jan 2 2000", "Feb 1 2000"].map { try #require(Day($0)) }
    #expect(days.shuffled().sorted() == days)
  }

  @Test func `A month is its name and its number`() throws {
    let december = try #require(Day("Dec 31 1999"))
    let january = try #require(Day("Jan 1 2000"))
    #expect(january.monthName == "Jan 2000")
    #expect(january.monthNumber == december.monthNumber + 1)
  }
}
