import Testing

@testable import tour

struct CSVTests {
  @Test(arguments: [
    ("a,b,c", ["a", "b", "c"]),
    ("", [""]),
    (",", ["", ""]),
    (" a ,\tb b , c", ["a", "b b", "c"]),
    (#""a","b,c","#, ["a", "b,c", ""]),
    (#" "a" , "say ""b""" "#, ["a", #"say "b""#]),
    (#""""""#, [#"""#]),
    ("é,日本", ["é", "日本"]),
  ])
  func `A line falls into fields`(line: String, fields: [String]) throws {
    #expect(try CSV.fields(of: line[...]) == fields)
  }

  @Test(arguments: [#"""#, #""a"#, #""a"b"#, #"a"b"#, #"a,"b"#, #""a"""#])
  func `A line with misplaced quotes does not`(line: String) {
    #expect(throws: CSV.Fault.self) { try CSV.fields(of: line[...]) }
  }
}
