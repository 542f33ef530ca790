#include "CTidings.h"
#include <sched.h>
#include <time.h>
#include <unistd.h>

_Thread_local const tidings_frame *tidings_top_frame;
_Thread_local void *tidings_thread_context;
tidings_graph_memory tidings_graph;

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

void tidings_yield(void) { sched_yield(); }

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
