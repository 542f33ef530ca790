#include "CTidings.h"
#include <unistd.h>

_Thread_local const tidings_frame *tidings_top_frame;

void tidings_complain(const char *bytes, intptr_t count) {
  while (count > 0) {
    ssize_t written = write(2, bytes, (size_t)count);
    if (written <= 0) return;
    bytes += written;
    count -= written;
  }
}
