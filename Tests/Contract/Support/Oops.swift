/// The error that handlers of tests throw.
struct Oops: Error, Equatable {
  var value = 0
}
