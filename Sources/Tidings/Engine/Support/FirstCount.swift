/// The first number of a counter of 32 bits that wraps. A build with `TIDINGS_COUNTERS_WRAP` begins shortly before the end, so
/// that the tests pass over it.
var firstCount: UInt32 {
  #if TIDINGS_COUNTERS_WRAP
  .max - 16
  #else
  0
  #endif
}
