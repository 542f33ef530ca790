import CRegistryStart
import TidingsRegistry

// For `TIDINGS_TARGETS=all TIDINGS_REGISTRY=1 swift test --filter …`: every object of those tests is registered, and every handler
// timed.

@_cdecl("tidings_registry_start")
func startRegistry() { _ = ObjectRegistry.shared.start() }

/// Returns 0 if the registry has forgotten what was destroyed. Statics are never deinitialized, nor are cycles of references:
/// tests of cycles make some, and an owner-bound handler that captures its own value is one. They are fewer than one object in
/// 500.
@_cdecl("tidings_registry_check")
func checkRegistry() -> Int32 {
  let (made, left) = (ObjectRegistry.shared.made, ObjectRegistry.shared.snapshots())
  // The process that lists the tests runs none, and its output is read by the test runner.
  if made < 100 { return 0 }
  let own = left.filter { $0.name.contains("registry.") }
  print(
    "registry: \(made) objects and handlers were registered, \(left.count) objects are alive, \(own.count) of its own tests"
  )
  for object in own { print("  " + object.kind.rawValue + " " + object.name + ", made at " + object.site) }
  return own.isEmpty && left.count * 500 < made ? 0 : 1
}
