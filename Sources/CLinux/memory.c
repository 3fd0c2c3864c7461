#include "CLinux/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *clinux_map_guarded(size_t size, int *locked) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t whole = (size + page - 1) / page * page;
  char *map = mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return NULL;
  char *base = map + page;
  if (mprotect(base, whole, PROT_READ | PROT_WRITE) != 0) {
    munmap(map, whole + 2 * page);
    return NULL;
  }
  /* On fault: 4 MiB of limit are reserved, but only pages in use cost memory. */
  *locked = mlock2(base, whole, MLOCK_ONFAULT) == 0;
  madvise(base, whole, MADV_DONTDUMP);
  madvise(base, whole, MADV_WIPEONFORK);
  return base;
}

void clinux_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

int clinux_equal(const void *left, const void *right, size_t count) {
  const volatile unsigned char *a = left, *b = right;
  unsigned char difference = 0;
  for (size_t i = 0; i < count; i++) difference |= a[i] ^ b[i];
  return difference == 0;
}
