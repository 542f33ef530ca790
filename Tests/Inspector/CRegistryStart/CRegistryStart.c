#include "CRegistryStart.h"

#include <stdlib.h>

// Defined in `RegistryDuringTests.swift`.
void tidings_registry_start(void);
int tidings_registry_check(void);

static void check(void) {
  if (tidings_registry_check() != 0) _Exit(1);
}

// With TIDINGS_REGISTRY set, all tests of the process run with the registry on, and it is checked when they are over.
__attribute__((constructor)) static void start(void) {
  if (getenv("TIDINGS_REGISTRY") == NULL) return;
  tidings_registry_start();
  atexit(check);
}
