#include "CLinux/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
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

/* A mapping of a file that cannot be written and has no page of its own: all of it can be had again from the file. A
   relocated page is anonymous, and would be lost. */
struct mapping {
  uintptr_t start, end;
  int is_file;
};

static void drop(const struct mapping *mapping, long anonymous) {
  if (mapping->is_file && anonymous == 0)
    madvise((void *)mapping->start, mapping->end - mapping->start, MADV_DONTNEED);
}

void clinux_trim_memory(void) {
  malloc_trim(0);
  FILE *maps = fopen("/proc/self/smaps", "re");
  if (!maps) return;
  char line[512], permissions[5], path[2];
  struct mapping mapping = {0, 0, 0};
  while (fgets(line, sizeof line, maps)) {
    unsigned long start, end;
    long anonymous;
    if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %1s", &start, &end, permissions, path) >= 3) {
      mapping = (struct mapping){start, end, permissions[1] != 'w' && strchr(line, '/') != NULL};
    } else if (sscanf(line, "Anonymous: %ld kB", &anonymous) == 1) {
      drop(&mapping, anonymous);
    }
  }
  fclose(maps);
}
