/* What a child takes away from itself before it is given anything. Nothing here can be undone. */
#pragma once
#include <stddef.h>

/* The newest Landlock version that the kernel offers, 0 when it has none. */
int clinux_landlock_version(void);

/* Leaves the process nothing of the file system but reading below `readable` (a path that is not there is left out),
   no listening TCP socket (version 4 up), and no signal or abstract socket to a process outside (version 6 up).
   Needs no_new_privs. Descriptors already open keep their rights. Returns 0, or -1 with errno. */
int clinux_landlock(const char *const *readable, size_t count);

/* Refuses (EPERM) to run programs, to look into other processes and to reach around this filter. With
   `without_unix_sockets`, socket(AF_UNIX) is refused as well (EAFNOSUPPORT). A call of a foreign architecture kills.
   Needs no_new_privs. Returns 0, or -1 with errno. */
int clinux_seccomp(int without_unix_sockets);
