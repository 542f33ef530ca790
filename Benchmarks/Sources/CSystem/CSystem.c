#define _GNU_SOURCE
#include "CSystem.h"

#include <stdlib.h>
#include <time.h>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#elif defined(__linux__)
#include <malloc.h>
#endif

long long bench_heap_bytes(void) {
#if defined(__APPLE__)
  malloc_statistics_t statistics;
  malloc_zone_statistics(0, &statistics);
  return (long long)statistics.size_in_use;
#elif defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  // All arenas, and the blocks that were mapped on their own for their size.
  struct mallinfo2 info = mallinfo2();
  return (long long)(info.uordblks + info.hblkhd);
#else
  return -1;
#endif
}

static long long nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

long long bench_thread_nanoseconds(void) { return nanoseconds(CLOCK_THREAD_CPUTIME_ID); }

long long bench_wall_nanoseconds(void) { return nanoseconds(CLOCK_MONOTONIC); }

double bench_load(void) {
#if defined(__GLIBC__) || defined(__APPLE__)
  double load;
  return getloadavg(&load, 1) == 1 ? load : -1;
#else
  return -1;
#endif
}
