// What the few lines of C promise on each platform, as far as one process can show it: where a thread's stack counts as used, how
// long parking lasts, and what is kept for each thread. Exits 1 with a sentence for what does not hold.
#include "CTidings.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static int failed;
static void expect(int holds, const char *what, double number) {
  printf("%s %s: %.3f\n", holds ? "✔" : "✘", what, number);
  if (!holds) failed = 1;
}

// Recurses until the stack counts as used; returns how many bytes that took.
static __attribute__((noinline)) size_t use(uintptr_t top, size_t most) {
  volatile char frame[4096];
  memset((void *)frame, 1, sizeof frame);
  size_t used = top - (uintptr_t)__builtin_frame_address(0);
  if (tidings_is_stack_used() || used > most) return used;
  size_t result = use(top, most);
  return result + (frame[0] - 1);
}
static size_t used_of(size_t size) { return use((uintptr_t)__builtin_frame_address(0), size - (64 << 10)); }

static void *on_thread(void *size) {
  *(size_t *)size = used_of(*(size_t *)size);
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint32_t word = 1;
static void *waker(void *unused) {
  (void)unused;
  for (int index = 0; index < 1000; index++) tidings_unpark(&word);
  return NULL;
}
static int ended;
static void end(void *context) { ended += context == &ended; }
static void *keeper(void *unused) {
  tidings_keep_context(&ended, end);
  return tidings_context() == &ended ? unused : NULL;
}

int main(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  size_t size = limit.rlim_cur == RLIM_INFINITY ? (size_t)8 << 20 : (size_t)limit.rlim_cur;
  // An eighth, at most 256 kB, is left free; arguments and environment take some of it.
  size_t used = used_of(size);
  expect(used > size - (448 << 10) && used < size - (192 << 10), "kB of the main thread's stack until it counts as used", (double)used / 1024);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_t thread;
  used = 1 << 20;
  pthread_create(&thread, &attributes, on_thread, &used);
  pthread_join(thread, NULL);
  expect(used > (800 << 10) && used < (1000 << 10), "kB of 1 MB of another thread's", (double)used / 1024);

  double began = seconds();
  for (int index = 0; index < 20; index++) tidings_park(&word, 1);
  double took = (seconds() - began) / 20 * 1000;
  // Where there is no futex a thread sleeps for 20 microseconds; a call that is refused takes one.
  expect(took > PARKED_AT_LEAST && took < 100, "ms parked on a word that nothing changes", took);
  began = seconds();
  for (int index = 0; index < 20; index++) tidings_park(&word, 2);
  took = (seconds() - began) / 20 * 1000;
  expect(took < 0.5, "ms parked on a word that has changed", took);
  pthread_create(&thread, NULL, waker, NULL);
  tidings_park(&word, 1);
  pthread_join(thread, NULL);

  void *kept = NULL;
  pthread_create(&thread, NULL, keeper, &failed);
  pthread_join(thread, &kept);
  expect(kept == &failed && ended == 1, "contexts whose thread has ended", ended);

  began = seconds();
  int first = tidings_take_turn(0), second = tidings_take_turn(20);
  took = (seconds() - began) * 1000;
  tidings_end_turn();
  expect(first && !second && took > 15, "ms waited for a turn that another has", took);
  return failed;
}
