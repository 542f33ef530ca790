import Testing

@testable import tour

struct ArgumentsTests {
  @Test(
    arguments: [
      ([], .tour(.shippedPrices)),
      (["-"], .tour(.standardInput)),
      (["own.csv"], .tour(.file("own.csv"))),
      (["--interactive"], .interactive(.shippedPrices)),
      (["own.csv", "--interactive"], .interactive(.file("own.csv"))),
      (["--", "-own.csv"], .tour(.file("-own.csv"))),
      (["--", "--help"], .tour(.file("--help"))),
      (["--help"], .help),
      (["own.csv", "-h"], .help),
      ([""], .tour(.file(""))),
    ] as [([String], Arguments)])
  func `A command line is understood`(words: [String], arguments: Arguments) throws {
    #expect(try Arguments(words) == arguments)
  }

  @Test(arguments: [["--colour"], ["-x"], ["a.csv", "b.csv"], ["-", "a.csv"], ["-", "-"], ["--interactive", "-"]])
  func `One that asks for something else is rejected`(words: [String]) {
    #expect(throws: Arguments.Misuse.self) { try Arguments(words) }
  }
}
