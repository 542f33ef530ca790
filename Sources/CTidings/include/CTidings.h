#ifndef CTIDINGS_H
#define CTIDINGS_H

#include <pthread.h>
#include <stdint.h>
#if defined(__APPLE__)
#include <os/lock.h>
#endif

/// The innermost `CausalFrame` of this thread.
extern _Thread_local const void *_Nullable tidings_top_frame;

// Swift cannot declare a thread-local; through these two the access is two instructions.
static inline const void *_Nullable tidings_top(void) { return tidings_top_frame; }
static inline void tidings_set_top(const void *_Nullable frame) { tidings_top_frame = frame; }

/// The deliveries that wait for the outermost one of this thread, null if none does; and the outermost release in progress.
extern _Thread_local void *_Nullable tidings_thread_trampoline;
static inline void *_Nullable tidings_trampoline(void) { return tidings_thread_trampoline; }
static inline void tidings_set_trampoline(void *_Nullable trampoline) { tidings_thread_trampoline = trampoline; }
extern _Thread_local void *_Nullable tidings_thread_destruction;
static inline void *_Nullable tidings_destruction(void) { return tidings_thread_destruction; }
static inline void tidings_set_destruction(void *_Nullable destruction) { tidings_thread_destruction = destruction; }

/// What is at this address is about to be read.
static inline void tidings_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/// A moment's rest in a loop that waits for another thread.
static inline void tidings_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

/// Parks the thread while the word is `value`, for a millisecond at most: a thread that wakes others may have looked too early. Where the
/// platform cannot park on a word the thread sleeps for a moment.
void tidings_park(const uint32_t *_Nonnull word, uint32_t value);
/// Wakes a thread that is parked on the word.
void tidings_unpark(const uint32_t *_Nonnull word);

#if defined(__APPLE__)
/// The system's lock in a word that begins as zero. A thread that waits lends its priority to the one that has the lock; parking on a
/// word lends none, also not by `os_sync_wait_on_address`.
static inline void tidings_lock(uint32_t *_Nonnull word) { os_unfair_lock_lock((os_unfair_lock_t)(void *)word); }
static inline void tidings_unlock(uint32_t *_Nonnull word) { os_unfair_lock_unlock((os_unfair_lock_t)(void *)word); }
#endif

/// The turn of a writer: one thread at a time has it, others park, for `milliseconds` at most. Zero when it was not free by then.
int tidings_take_turn(intptr_t milliseconds);
void tidings_end_turn(void);
/// Parks until the turn that some thread has now is over.
void tidings_await_turn_end(intptr_t milliseconds);

extern _Thread_local void *_Nullable tidings_thread_context;

/// What this thread is doing with values; null until `tidings_keep_context`.
static inline void *_Nullable tidings_context(void) { return tidings_thread_context; }

/// Keeps a context for this thread, until the thread ends: then `end` is called with it.
void tidings_keep_context(void *_Nonnull context, void (*_Nonnull end)(void *_Nonnull));

/// Lets other threads run for 20 microseconds or a little longer.
void tidings_rest(void);

/// Words that all threads share, each in a cache line of its own. They begin as zeros, and need no initialisation that each access
/// would have to ask for.
typedef struct tidings_shared_words {
  _Alignas(128) uintptr_t clock;
  _Alignas(128) uintptr_t announcements;
  _Alignas(128) uintptr_t kept;
} tidings_shared_words;
extern tidings_shared_words tidings_shared;
static inline void *_Nonnull tidings_clock(void) { return &tidings_shared.clock; }
static inline void *_Nonnull tidings_announcements(void) { return &tidings_shared.announcements; }
static inline void *_Nonnull tidings_kept(void) { return &tidings_shared.kept; }

/// Frames from here on are above the reserve; all are below it until it has been looked up.
extern _Thread_local uintptr_t tidings_stack_limit;
int tidings_is_in_stack_reserve(void);
/// Whether the caller's frame is in the part of its thread's stack that a recursion must leave free: the last eighth, looked up
/// once for each thread. A frame below the end of the stack belongs to another stack, on which a program runs fibers of its own.
static inline __attribute__((always_inline)) int tidings_is_stack_used(void) {
  // Inline: each look at a derived value asks, and a diamond took 20 instructions of 1,744 more.
  return __builtin_expect((uintptr_t)__builtin_frame_address(0) < tidings_stack_limit, 0) && tidings_is_in_stack_reserve();
}

#if defined(TIDINGS_PORTABLE)
/// Zero if the environment has TIDINGS_NO_IMMEDIATE_TASKS.
int tidings_starts_immediate_tasks(void);
#endif

/// Writes all of `bytes` to standard error, as well as it can.
void tidings_complain(const char *_Nonnull bytes, intptr_t count);

#endif
