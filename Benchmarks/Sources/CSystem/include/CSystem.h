#ifndef CSYSTEM_H
#define CSYSTEM_H

/// What the process holds on the heap, as the allocator counts it: its own headers and rounding included, because a
/// program pays for those too. Less than zero where the allocator does not report it.
long long bench_heap_bytes(void);

/// What the process holds of the machine's memory; less than zero where the system does not report it.
long long bench_resident_bytes(void);

/// Writes what the processor calls itself, without an end, and says how long that is; less than zero where the system
/// does not report it.
int bench_processor(void *name, int capacity);

/// Nanoseconds that the calling thread has spent on a processor.
long long bench_thread_nanoseconds(void);

/// Nanoseconds on a clock that only goes forward.
long long bench_wall_nanoseconds(void);

/// How many threads wanted a processor over the last minute; less than zero where the system does not report it.
double bench_load(void);

/// Writes one of four marks, 0 to 3, which are found in a trace of memory accesses; none for less than zero. Returns where the
/// first of them is; each of the others is 64 bytes further.
const volatile void *bench_mark(int number);

/// Where the stack of the calling thread begins and ends; less than zero where the system does not report it.
int bench_stack(unsigned long long *first, unsigned long long *end);

#endif
