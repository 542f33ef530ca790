// The headers of the module Darwin that the package uses.
#include <errno.h>
#include <fcntl.h>
#include <os/lock.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
// Apple's notes for Swift give these names to the enumerators; the macros are not seen there.
#undef CLOCK_REALTIME
#undef CLOCK_THREAD_CPUTIME_ID
static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME;
static const clockid_t CLOCK_THREAD_CPUTIME_ID = _CLOCK_THREAD_CPUTIME_ID;
