#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // pthread_getattr_np
#endif
#include "CTidings.h"
#include <time.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/futex.h>)
#define TIDINGS_HAS_FUTEX 1
#include <linux/futex.h>
#include <sys/syscall.h>
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
void tidings_park(const uint32_t *word, uint32_t value) {
  struct timespec limit = {.tv_sec = 0, .tv_nsec = 1000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}
void tidings_unpark(const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
#else
void tidings_park(const uint32_t *word, uint32_t value) {
  (void)word;
  (void)value;
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 20000};
  nanosleep(&moment, NULL);
}
void tidings_unpark(const uint32_t *word) { (void)word; }
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

static void find_reserve(void) {
  // There is none where the platform does not report it.
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
  if (pthread_attr_getstack(&attributes, &end, &size) == 0 && size > 0) set_reserve((uintptr_t)end, size);
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
