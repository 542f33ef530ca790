import CRegistryStart
import TidingsRegistry

// For `TIDINGS_REGISTRY=1 swift test --filter …`: every object of those tests is registered, and every handler timed.

@_cdecl("tidings_registry_start")
func startRegistry() { _ = ObjectRegistry.shared.start() }

/// Returns 0 if nothing is left of what the tests made. What is static in the library or in a test file lives on.
@_cdecl("tidings_registry_check")
func checkRegistry() -> Int32 {
  // The process that lists the tests runs none, and its output is read by the test runner.
  if ObjectRegistry.shared.made < 100 { return 0 }
  let left = ObjectRegistry.shared.snapshots().filter { $0.label != "tidings.reports" }
  print("registry: \(ObjectRegistry.shared.made) objects and handlers were registered, \(left.count) objects are left")
  for object in left { print("  " + object.kind.rawValue + " " + object.name + ", made at " + object.site) }
  return left.isEmpty ? 0 : 1
}
