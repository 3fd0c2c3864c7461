/* Copies of secrets that a library or the runtime made and dropped do not outlive the drop: `free` and a moving
   `realloc` wipe the old block. Left out of sanitizer builds, which own `free` themselves. */
#include "CZeroFree.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern void __libc_free(void *);
extern void *__libc_realloc(void *, size_t);

void free(void *block) {
  if (block) explicit_bzero(block, malloc_usable_size(block));
  __libc_free(block);
}

void *realloc(void *block, size_t size) {
  if (!block) return malloc(size);
  size_t held = malloc_usable_size(block);
  if (size && size <= held && size >= held / 2) return block;
  if (!size) {
    free(block);
    return NULL;
  }
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, block, held < size ? held : size);
  free(block);
  return moved;
}
