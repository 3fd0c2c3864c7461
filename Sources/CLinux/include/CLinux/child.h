/* Starting a child that outlives us, and what such a child does for itself. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Opens a program to be run later by descriptor. O_PATH: a program of mode 0711 cannot be read, only run.
   Returns the descriptor, or -1 with errno. */
int clinux_open_program(const char *path);

/* Two connected sockets that keep messages apart, close-on-exec; `pair[0]` is non-blocking. Returns 0, or -1 with errno. */
int clinux_channel(int pair[2]);

/* Runs the program behind `program` as `name` with nothing of ours: empty environment, own session, `/`, umask 077,
   `channel` as descriptor 0, 1 and 2 on /dev/null and no other, no signal blocked, all at their default but
   TERM, INT, HUP and PIPE, which are ignored.
   Returns the process, a child of ours to be reaped, or -1 with errno, that of the child's execveat(2) included. */
pid_t clinux_spawn(int program, const char *name, int channel);

/* Ends this process by SIGALRM (default action) after so many seconds on CLOCK_BOOTTIME. 0, or -1 with errno. */
int clinux_die_after(int seconds);

/* Sends or receives one message; no SIGPIPE. A message longer than the room is an error (EMSGSIZE); descriptors that
   came with one are dropped by the kernel. 0 when the other end is closed, -1 with errno. */
ssize_t clinux_send_message(int socket, const void *bytes, size_t count);
ssize_t clinux_receive_message(int socket, void *bytes, size_t count);

/* Waits for something to read, or the other end's closing: 1, 0 when the time is over, -1 with errno. */
int clinux_wait_readable(int descriptor, int milliseconds);
