extension Subscription {
  /// The source of the subscription and the place where it was made, while its handler can still be called.
  package var leak: (source: String, site: Diagnostics.Site)? {
    let list = registration.list
    guard let (site, selfCancellation) = list.look(at: self), selfCancellation?.isOrphaned != true else { return nil }
    return (list.name, site)
  }
}
