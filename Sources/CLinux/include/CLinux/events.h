/* What an event loop waits for. Descriptors are close-on-exec and non-blocking. */
#pragma once
#include <stdint.h>
#include <sys/types.h>

/* Bits of `events`. */
extern const uint32_t clinux_readable, clinux_writable, clinux_peer_closed, clinux_hangup, clinux_error,
    clinux_once;

struct clinux_event {
  uint32_t events;
  uint64_t token;
};

/* A new epoll instance, or -1 with errno. */
int clinux_epoll(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);

#define CLINUX_EVENTS_AT_ONCE 256
/* Waits without limit, or not at all when `block` is 0. Returns how many of `ready` were filled; EINTR is 0. */
int clinux_epoll_wait(int epoll, struct clinux_event ready[CLINUX_EVENTS_AT_ONCE], int block);

/* A counter that becomes readable when it is rung, and quiet when it is hushed. */
int clinux_bell(void);
void clinux_ring(int bell);
void clinux_hush(int bell);

/* A timer on CLOCK_BOOTTIME; armed for an absolute instant, disarmed with 0. */
int clinux_boot_timer(void);
int clinux_arm(int timer, int64_t nanoseconds);

/* Nanoseconds on CLOCK_BOOTTIME; seconds on CLOCK_REALTIME. */
int64_t clinux_boot_nanoseconds(void);
int64_t clinux_wall_seconds(void);

/* Blocks the signals in the calling thread (and those it starts later) and opens a descriptor that reports them. */
int clinux_signals(const int *signals, int count);
/* The next pending signal, or -1 with errno EAGAIN. */
int clinux_next_signal(int descriptor);
/* Forgets those that came, closes the descriptor, and unblocks them again. */
void clinux_release_signals(int descriptor, const int *signals, int count);

/* A descriptor that becomes readable when the process has ended, or -1 with errno. */
int clinux_pidfd(pid_t process);
int clinux_pidfd_signal(int pidfd, int signal);
/* Reaps: 1 and `*status` (exit status, or minus the signal that killed it), 0 when it still runs, -1 with errno. */
int clinux_reap(int pidfd, int *status);
