// What the few lines of C promise on each platform, as far as one process can show it: where a thread's stack counts as used, how
// long parking lasts, and what is kept for each thread. Exits 1 with a sentence for what does not hold.
#include "CTidings.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__linux__) && __has_include(<linux/seccomp.h>) && !defined(TIDINGS_PORTABLE)
#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#define CAN_REFUSE_PARKING 1
#endif

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

#if defined(CAN_REFUSE_PARKING)
#if defined(SYS_futex_time64)
#define NEWER_FUTEX SYS_futex_time64
#else
#define NEWER_FUTEX SYS_futex
#endif
#if defined(SYS_futex)
#define OLDER_FUTEX SYS_futex
#else
#define OLDER_FUTEX NEWER_FUTEX
#endif
// Refuses to let its own thread wait on a futex, as the filter of a container does, then parks. The result is the milliseconds of one
// call, or -1 where there are no filters, as in an emulator. Waking is allowed: musl's threads do it when they end.
static void *refused(void *milliseconds) {
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NEWER_FUTEX, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OLDER_FUTEX, 0, 3),
    // The lower half of the second argument, on a little-endian processor.
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT_PRIVATE, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};
  *(double *)milliseconds = -1;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return NULL;
  double began = seconds();
  for (int index = 0; index < 20; index++) tidings_park(&word, 1);
  *(double *)milliseconds = (seconds() - began) / 20 * 1000;
  return NULL;
}
#endif
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
#if defined(CAN_REFUSE_PARKING)
  pthread_create(&thread, NULL, refused, &took);
  pthread_join(thread, NULL);
  if (took < 0) printf("- no system call can be refused here\n");
  else expect(took >= 0.02, "ms rested where the system refuses to park", took);
#endif
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
