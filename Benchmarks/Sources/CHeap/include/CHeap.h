#ifndef CHEAP_H
#define CHEAP_H

/// What the process holds on the heap, as the allocator counts it: its own headers and rounding included, because a
/// program pays for those too. Less than zero where the allocator does not tell.
long long heap_bytes_in_use(void);

#endif
