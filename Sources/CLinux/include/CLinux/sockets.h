/* Sockets of the file system's namespace. Descriptors are close-on-exec. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes of a path that fit into an address, its NUL not counted. */
#define CLINUX_SOCKET_PATH_LIMIT 107

/* A stream socket; it blocks. -1 with errno. */
int clinux_socket(void);
/* Connects, waiting at most so long for room in the listener's queue, then makes the socket non-blocking. */
int clinux_connect(int socket, const char *path, int64_t nanoseconds);
int clinux_bind(int socket, const char *path);

/* The next connection, non-blocking; -1 with errno. */
int clinux_accept(int listener);
/* 1 when the descriptor is a listening stream socket of the file system's namespace, else 0. */
int clinux_is_listener(int descriptor);

/* SO_PEERCRED: who connected, or who listens. */
int clinux_peer(int socket, pid_t *process, uid_t *user);
/* SO_PEERPIDFD: the peer's process as a descriptor, or -1 with errno (ENOPROTOOPT before Linux 6.5). */
int clinux_peer_pidfd(int socket);

/* What is there to read, without waiting; -1 with errno. 0 at the end of the stream. No descriptor that comes along is
   ever installed in this process: the kernel drops it, and `*refused` says that something came along. */
ssize_t clinux_receive(int socket, void *bytes, size_t room, int *refused);
/* As much as there is room for, without waiting and without SIGPIPE; -1 with errno. */
ssize_t clinux_send(int socket, const void *bytes, size_t count);

/* Waits until the socket can be read (or written) or CLOCK_BOOTTIME is past `due`. 1, 0 when the time is over,
   -1 with errno. */
int clinux_wait(int socket, int writing, int64_t due);

/* Raises RLIMIT_NOFILE to its hard limit and returns what it is now, at most INT32_MAX; -1 with errno. */
int32_t clinux_raise_descriptor_limit(void);
