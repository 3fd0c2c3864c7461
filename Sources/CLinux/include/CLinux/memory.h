/* Locked memory. */
#pragma once
#include <stddef.h>

/* Maps `size` bytes between two guard pages, locks them as they are first touched, keeps them out of core files and
   out of forked children. Returns NULL when no mapping can be had; `*locked` is 0 when the limit forbids locking. */
void *clinux_map_guarded(size_t size, int *locked);

/* Gives the kernel back what this process need not hold: free heap, and the clean pages of programs and libraries that
   are not running just now (they come back from the page cache when they are run again). Reads /proc/self/smaps, so it
   takes a millisecond or two. */
void clinux_trim_memory(void);

/* Overwrites in a way that the compiler may not remove. */
void clinux_wipe(void *bytes, size_t count);

/* Compares in time that does not depend on where the bytes differ. 1 when equal. */
int clinux_equal(const void *left, const void *right, size_t count);
