/* Starting another program with nothing of ours left in it. */
#pragma once
#include <sys/types.h>

/* What a started program gets. Every descriptor that is not named here is closed in it, every signal has its default
   action and none is blocked. */
struct clinux_launch {
  const char *path;        /* absolute; PATH is not searched */
  char *const *arguments;  /* NULL-terminated, the program's name first */
  char *const *environment; /* NULL-terminated, complete */
  int input;               /* becomes 0; -1: /dev/null */
  int output;              /* becomes 1 and 2; -1: /dev/null */
  int ready;               /* becomes 3; -1: none */
  int detached;            /* not 0: a session of its own */
  int secluded;            /* not 0: in /, with umask 077 */
};

/* Starts the program. Returns its process id, or -1 with errno; an exec that fails is reported here too. */
pid_t clinux_launch(const struct clinux_launch *what);
