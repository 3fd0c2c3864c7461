#include "CLinux/argument.h"

#include <string.h>
#include <sys/mman.h>

static char kept[CLINUX_ARGUMENT_ROOM] __attribute__((aligned(4096)));
static size_t length;

/* Everybody on the machine can read a command line, and this one holds a code. The C library runs this before it
   initialises anything of C++ or Swift, and hands it the words where the kernel shows them. */
__attribute__((constructor(101))) static void take(int argc, char **argv) {
  if (argc < 3 || strcmp(argv[1], "callback") != 0) return;
  mlock(kept, sizeof kept);
  for (int i = 2; i < argc; i++) {
    if (argv[i][0] == '-') continue;
    size_t count = strlen(argv[i]);
    if (length == 0) {
      length = count;
      memcpy(kept, argv[i], count < sizeof kept ? count : sizeof kept);
    }
    memset(argv[i], '*', count);
  }
}

size_t clinux_argument_length(void) { return length; }

void clinux_take_argument(void *into, size_t room) {
  size_t count = length < sizeof kept ? length : sizeof kept;
  memcpy(into, kept, count < room ? count : room);
  explicit_bzero(kept, sizeof kept);
}
