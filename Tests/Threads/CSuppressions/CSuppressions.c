#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // sched_setaffinity
#endif
#include "CSuppressions.h"
#include <sched.h>

// A continuation that is resumed before its task has suspended: the runtime, which is not instrumented, orders the two by an
// atomic that the sanitizer does not see, and the next use of the frame counts as a race. Twenty lines without this library
// show it (github.com/swiftlang/swift/issues/57803). Suppressed is a race in that function's own code alone, not in what it calls.
const char *__tsan_default_suppressions(void) { return "race_top:withUnsafeContinuation\n"; }

int tests_are_sanitized(void) {
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  return 1;
#else
  return 0;
#endif
}

int tests_stay_on_one_processor(void) {
#if defined(__linux__)
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return -1;
  int first = 0;
  while (first < CPU_SETSIZE && !CPU_ISSET(first, &all)) first += 1;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  return sched_setaffinity(0, sizeof one, &one);
#else
  return -1;
#endif
}
