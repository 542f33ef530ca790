// The headers of the module Darwin that the package uses.
#include <errno.h>
#include <fcntl.h>
#include <os/lock.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
// Apple's notes for Swift give these names to the enumerators; the macros are not seen there.
#undef CLOCK_REALTIME
#undef CLOCK_THREAD_CPUTIME_ID
static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME;
static const clockid_t CLOCK_THREAD_CPUTIME_ID = _CLOCK_THREAD_CPUTIME_ID;
// Apple's module declares these in Swift: what is a macro of another type or a call, and functions with a variable number of arguments.
#undef errno
extern const int errno;
#undef S_IFMT
#undef S_IFIFO
#undef S_IFSOCK
static const mode_t S_IFMT = 0170000, S_IFIFO = 0010000, S_IFSOCK = 0140000;
__attribute__((swift_name("open(_:_:)"))) int darwin_open(const char *path, int flags);
__attribute__((swift_name("open(_:_:_:)"))) int darwin_open_with_mode(const char *path, int flags, mode_t mode);
__attribute__((swift_name("fcntl(_:_:)"))) int darwin_fcntl(int descriptor, int command);
__attribute__((swift_name("fcntl(_:_:_:)"))) int darwin_fcntl_with_value(int descriptor, int command, int value);
