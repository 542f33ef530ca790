#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CValueEngine.h"
#include <limits.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/futex.h>)
#define ENGINE_HAS_FUTEX 1
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

_Thread_local void *engine_thread_slot;
engine_shared_words engine_shared = {.clock = 1};

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static void (*_Atomic end_thread)(void *);

static void thread_ends(void *state) {
  // The state is that of the thread until it has ended: what it destroys runs user code.
  engine_thread_slot = state;
  end_thread(state);
  engine_thread_slot = NULL;
}
static void make_key(void) { pthread_key_create(&key, thread_ends); }

void engine_keep_thread(void *state, void (*end)(void *)) {
  end_thread = end;
  pthread_once(&key_once, make_key);
  pthread_setspecific(key, state);
  engine_thread_slot = state;
}

#if defined(ENGINE_HAS_FUTEX)
void engine_park(const void *word, uint32_t value) {
  struct timespec limit = {.tv_sec = 0, .tv_nsec = 1000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}
void engine_unpark(const void *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }
#else
void engine_park(const void *word, uint32_t value) {
  (void)word;
  (void)value;
  struct timespec moment = {.tv_sec = 0, .tv_nsec = 20000};
  nanosleep(&moment, NULL);
}
void engine_unpark(const void *word) { (void)word; }
#endif
