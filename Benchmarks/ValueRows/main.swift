// Rows of both value engines, in one run, so that ratios mean something on a machine that does other work.
//
//   value-rows                         each row with one thread and with two: nanoseconds and throughput, today's engine and the new one
//   value-rows sessions                64 actors on the task pool, each with a chain over nothing, a shared source, a shared derived value
//   value-rows ENGINE ROW COUNT        COUNT operations of a row, for callgrind: the difference of two counts

let arguments = CommandLine.arguments.dropFirst()
if arguments.count == 3, let count = Int(arguments.last!) {
  let all = arguments.first == "today" ? rows(Today.self) : rows(Marks.self)
  guard let row = all.first(where: { $0.name == arguments.dropFirst().first }) else { fatalError("no such row") }
  let operation = row.make(0)
  for number in 0..<count { operation(number) }
} else if arguments.first == "sessions" {
  await sessions(Today.self, "today")
  await sessions(Marks.self, "marks")
} else {
  table()
}
