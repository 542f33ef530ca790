// Moves the wall clock of a process that is started with it in LD_PRELOAD: by the seconds in the file that TIDINGS_CLOCK names, which
// may change at any time. Not libfaketime: tasks that slept did not wake up after the time was changed by it.
//
// The system's own clock is not moved. So the times until which a thread waits are moved back before the system is given them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("TIDINGS_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) offset = memory;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += *offset;
  return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  moment->tv_sec = now.tv_sec;
  moment->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

// A file that is made now has the time of the moved clock.
int lstat(const char *restrict path, struct stat *restrict status) {
  int result = fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
  if (result == 0 && offset) status->st_mtim.tv_sec += *offset;
  return result;
}

// Times of the clock that is not moved count from the start of the machine.
static int is_wall(const struct timespec *until) { return until->tv_sec > 1000000000; }
static struct timespec real(const struct timespec *until) {
  struct timespec moved = *until;
  if (offset) moved.tv_sec -= *offset;
  return moved;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  if (!is_wall(until)) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
  struct timespec moved = real(until);
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &moved);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  struct timespec moved = real(until);
  return sem_clockwait(semaphore, CLOCK_REALTIME, &moved);
}
