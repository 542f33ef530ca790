#include "CTidings.h"
#include <sched.h>
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
