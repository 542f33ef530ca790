/// An object to which handlers are bound.
package final class Owner: Sendable {
  package init() {}
}
