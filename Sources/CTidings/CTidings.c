#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // pthread_getattr_np
#endif
#include "CTidings.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/futex.h>) && !defined(TIDINGS_PORTABLE)
#define TIDINGS_HAS_FUTEX 1
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#if defined(__linux__) && !defined(__GLIBC__)
#include <sys/auxv.h>
#include <sys/resource.h>
#endif

_Thread_local const void *tidings_top_frame;
_Thread_local void *tidings_thread_context;
_Thread_local void *tidings_thread_trampoline;
_Thread_local void *tidings_thread_destruction;
tidings_shared_words tidings_shared;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static void (*_Atomic end_context)(void *);

static void thread_ends(void *context) {
  tidings_thread_context = NULL;
  end_context(context);
}
static void make_key(void) { pthread_key_create(&key, thread_ends); }

void tidings_keep_context(void *context, void (*end)(void *)) {
  end_context = end;
  pthread_once(&key_once, make_key);
  pthread_setspecific(key, context);
  tidings_thread_context = context;
}

void tidings_complain(const char *bytes, intptr_t count) {
  while (count > 0) {
    ssize_t written = write(2, bytes, (size_t)count);
    if (written <= 0) return;
    bytes += written;
    count -= written;
  }
}

#if defined(TIDINGS_HAS_FUTEX)
// A system of 32 bits has two calls: the older one takes a time of 32 bits. Given one of 64 bits it reads zero, and returns immediately.
#if defined(SYS_futex_time64) && defined(SYS_futex)
#define FUTEX_CALL (sizeof(time_t) > sizeof(long) ? SYS_futex_time64 : SYS_futex)
#elif defined(SYS_futex_time64)
#define FUTEX_CALL SYS_futex_time64
#else
#define FUTEX_CALL SYS_futex
#endif
void tidings_park(const uint32_t *word, uint32_t value) {
  struct timespec limit = {.tv_sec = 0, .tv_nsec = 1000000};
  if (syscall(FUTEX_CALL, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0) != -1) return;
  // The thread did not wait: a kernel before Linux 5.1 lacks the newer call, and the filter of an older container refuses it (EPERM).
  // Without a rest the callers, which park in a loop, would use a whole processor.
  if (errno != EAGAIN && errno != ETIMEDOUT && errno != EINTR) tidings_rest();
}
void tidings_unpark(const uint32_t *word) { syscall(FUTEX_CALL, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
#else
void tidings_park(const uint32_t *word, uint32_t value) {
  (void)word;
  (void)value;
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 20000};
  nanosleep(&moment, NULL);
}
void tidings_unpark(const uint32_t *word) { (void)word; }
#endif

#if defined(TIDINGS_PORTABLE)
int tidings_starts_immediate_tasks(void) { return getenv("TIDINGS_NO_IMMEDIATE_TASKS") == NULL; }
#endif

void tidings_rest(void) {
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 20000};
  nanosleep(&moment, NULL);
}

_Thread_local uintptr_t tidings_stack_limit = UINTPTR_MAX;
// The lowest address.
static _Thread_local uintptr_t stack_end;

// An eighth of the stack, as far as that is reasonable: handlers and closures of derived values are user code, and the report needs
// some of it, too.
static void set_reserve(uintptr_t end, size_t size) {
  size_t reserve = size / 8;
  if (reserve < 16 << 10) reserve = 16 << 10;
  if (reserve > 256 << 10) reserve = 256 << 10;
  stack_end = end;
  tidings_stack_limit = end + reserve;
}

#if defined(__linux__) && !defined(__GLIBC__)
// musl reports the part of the main thread's stack that is mapped at the moment: some 130 kB of the 8 MB to which it may grow. The
// main thread is known by its place, not by its number, which in a forked child the thread that forked has.
static void extend_to_limit(void **end, size_t *size) {
  // The name of the program is the topmost string on the stack of the main thread.
  uintptr_t top = getauxval(AT_EXECFN), reported = (uintptr_t)*end + *size;
  struct rlimit limit;
  if (top == 0 || getrlimit(RLIMIT_STACK, &limit) != 0) return;
  size_t whole = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > SIZE_MAX ? (size_t)8 << 20 : (size_t)limit.rlim_cur;
  // The stack of any other thread is more than that away.
  uintptr_t distance = top > reported ? top - reported : reported - top;
  if (distance >= whole || whole <= distance + *size) return;
  *end = (void *)(top - whole);
  *size = whole;
}
#endif

static void find_reserve(void) {
  // There is none where the platform does not report it, and on BSD, WASI and Windows it is not asked: there a recursion that uses
  // up the stack ends the program without a report.
  tidings_stack_limit = 0;
#if defined(__APPLE__)
  pthread_t thread = pthread_self();
  size_t size = pthread_get_stacksize_np(thread);
  set_reserve((uintptr_t)pthread_get_stackaddr_np(thread) - size, size);
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *end = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &end, &size) == 0 && size > 0) {
#if !defined(__GLIBC__)
    extend_to_limit(&end, &size);
#endif
    set_reserve((uintptr_t)end, size);
  }
  pthread_attr_destroy(&attributes);
#endif
}

int tidings_is_in_stack_reserve(void) {
  if (tidings_stack_limit == UINTPTR_MAX) find_reserve();
  uintptr_t position = (uintptr_t)__builtin_frame_address(0);
  return stack_end <= position && position < tidings_stack_limit;
}

static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_ended = PTHREAD_COND_INITIALIZER;
static int turn_is_taken;
static uintptr_t turns;

static struct timespec after(intptr_t milliseconds) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += milliseconds % 1000 * 1000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_sec += 1;
    time.tv_nsec -= 1000000000;
  }
  return time;
}

int tidings_take_turn(intptr_t milliseconds) {
  struct timespec deadline = after(milliseconds);
  pthread_mutex_lock(&turn_lock);
  while (turn_is_taken && pthread_cond_timedwait(&turn_ended, &turn_lock, &deadline) == 0) {}
  int is_ours = !turn_is_taken;
  if (is_ours) turn_is_taken = 1;
  pthread_mutex_unlock(&turn_lock);
  return is_ours;
}

void tidings_end_turn(void) {
  pthread_mutex_lock(&turn_lock);
  turn_is_taken = 0;
  turns += 1;
  pthread_cond_broadcast(&turn_ended);
  pthread_mutex_unlock(&turn_lock);
}

void tidings_await_turn_end(intptr_t milliseconds) {
  struct timespec deadline = after(milliseconds);
  pthread_mutex_lock(&turn_lock);
  uintptr_t number = turns;
  while (turn_is_taken && turns == number
         && pthread_cond_timedwait(&turn_ended, &turn_lock, &deadline) == 0) {}
  pthread_mutex_unlock(&turn_lock);
}
