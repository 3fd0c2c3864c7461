/* Locks that belong to an open file description (OFD), not to a process: they end when the last descriptor of it is
   closed, whoever closes it. Each covers the whole file. */
#pragma once

/* Who holds a lock that stands in the way. */
enum clinux_lock_holder { CLINUX_LOCK_FREE = 0, CLINUX_LOCK_READERS = 1, CLINUX_LOCK_WRITER = 2 };

/* Takes the write lock if it is free. Returns 0, or -1 with errno (EAGAIN or EACCES: somebody has it). */
int clinux_lock_try(int descriptor);
/* Waits, without limit, for the write lock. Returns 0, or -1 with errno. */
int clinux_lock_wait(int descriptor);
/* Waits at most so long for the write lock. Returns 0, or -1 with errno (ETIMEDOUT). It uses SIGALRM: for programs with
   one thread. */
int clinux_lock_within(int descriptor, int milliseconds);
/* Waits, without limit, until nobody holds the write lock, and takes a read lock. Returns 0, or -1 with errno. */
int clinux_lock_share_wait(int descriptor);
/* Who stands in the way of a write lock: a clinux_lock_holder, or -1 with errno. */
int clinux_lock_holder(int descriptor);
