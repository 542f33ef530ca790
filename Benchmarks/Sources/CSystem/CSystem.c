#define _GNU_SOURCE
#include "CSystem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__APPLE__)
#include <mach/mach.h>
#include <malloc/malloc.h>
#include <sys/sysctl.h>
#elif defined(__linux__)
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>
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

long long bench_resident_bytes(void) {
#if defined(__APPLE__)
  mach_task_basic_info_data_t info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) != KERN_SUCCESS) return -1;
  return (long long)info.resident_size;
#elif defined(__linux__)
  // The second number: pages that are resident.
  long long total, resident;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return -1;
  int read = fscanf(file, "%lld %lld", &total, &resident);
  fclose(file);
  return read == 2 ? resident * sysconf(_SC_PAGESIZE) : -1;
#else
  return -1;
#endif
}

int bench_processor(void *name, int capacity) {
#if defined(__APPLE__)
  size_t length = (size_t)capacity;
  if (sysctlbyname("machdep.cpu.brand_string", name, &length, NULL, 0) != 0) return -1;
  return (int)strnlen(name, length);
#elif defined(__linux__)
  char line[256];
  int length = -1;
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file) return -1;
  while (length < 0 && fgets(line, sizeof line, file)) {
    char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !value) continue;
    value += strspn(value, ": \t");
    length = (int)strcspn(value, "\n");
    if (length > capacity) length = capacity;
    memcpy(name, value, (size_t)length);
  }
  fclose(file);
  return length;
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

// A mark has a cache line of its own.
static volatile int marks[16 * 4] __attribute__((aligned(64)));

const volatile void *bench_mark(int number) {
  if (number >= 0) marks[16 * number] = 1;
  return marks;
}

int bench_stack(unsigned long long *first, unsigned long long *end) {
#if defined(__linux__)
  pthread_attr_t attributes;
  void *address;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return -1;
  int result = pthread_attr_getstack(&attributes, &address, &size);
  pthread_attr_destroy(&attributes);
  if (result != 0) return -1;
  *first = (unsigned long long)address;
  *end = *first + size;
  return 0;
#else
  return -1;
#endif
}
