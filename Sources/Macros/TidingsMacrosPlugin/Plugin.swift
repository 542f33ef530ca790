#if !Macros
/// Without the trait the plugin is an empty program: nothing asks it for a macro, and swift-syntax is not needed to build it.
@main private enum Plugin {
  static func main() {}
}
#elseif canImport(SwiftCompilerPlugin)
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main private struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ObservedPropertiesMacro.self, ObservedAsMacro.self, DerivedMacro.self, UnobservedMacro.self,
  ]
}
#endif
