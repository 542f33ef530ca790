extension Subscription {
  /// What it was made on and where, while it can still be called.
  package var leak: (source: String, site: Diagnostics.Site)? {
    let list = registration.list
    guard let (site, selfCancellation) = list.look(at: self), selfCancellation?.isOrphaned != true else { return nil }
    return (list.name, site)
  }
}
