// The code that the guide shows.
import TidingsInspector

let inspector = Inspector()
Task { try await inspector.serve { print($0) } }
print(inspector.table())
