#ifndef CSUPPRESSIONS_H
#define CSUPPRESSIONS_H

/// What the thread sanitizer, in a build with it, asks for by this name.
const char *__tsan_default_suppressions(void);

/// Whether this is a build with a sanitizer, whose frames are larger.
int tests_are_sanitized(void);

/// Lets this thread run on the first of the processors that it may use, and on no other. Not 0 where that cannot be.
int tests_stay_on_one_processor(void);

#endif
