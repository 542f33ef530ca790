import Testing

@testable import tour

struct ArgumentsTests {
  @Test(
    arguments: [
      ([], .shippedPrices),
      (["-"], .standardInput),
      (["own.csv"], .file("own.csv")),
      (["--", "-own.csv"], .file("-own.csv")),
      (["--", "--help"], .file("--help")),
      (["--help"], .help),
      (["own.csv", "-h"], .help),
      ([""], .file("")),
    ] as [([String], Arguments)])
  func `A command line is understood`(words: [String], arguments: Arguments) throws {
    #expect(try Arguments(words) == arguments)
  }

  @Test(arguments: [["--colour"], ["-x"], ["a.csv", "b.csv"], ["-", "a.csv"], ["-", "-"]])
  func `One that asks for something else is refused`(words: [String]) {
    #expect(throws: Arguments.Misuse.self) { try Arguments(words) }
  }
}
