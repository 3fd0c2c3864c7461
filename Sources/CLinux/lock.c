#include "CLinux/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static int lock(int descriptor, int command, short type) {
  struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
  int status;
  do status = fcntl(descriptor, command, &whole);
  while (status != 0 && errno == EINTR);
  return status;
}

int clinux_lock_try(int descriptor) { return lock(descriptor, F_OFD_SETLK, F_WRLCK); }

int clinux_lock_wait(int descriptor) { return lock(descriptor, F_OFD_SETLKW, F_WRLCK); }

static void wake(int number) { (void)number; }

int clinux_lock_within(int descriptor, int milliseconds) {
  struct sigaction action = {.sa_handler = wake}, former;
  sigaction(SIGALRM, &action, &former);
  /* Repeating, so that an alarm that comes just before the wait begins is followed by another. */
  struct itimerval timer = {{0, 100000}, {milliseconds / 1000, milliseconds % 1000 * 1000}}, none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &timer, NULL);
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int status = fcntl(descriptor, F_OFD_SETLKW, &whole);
  int reason = errno == EINTR ? ETIMEDOUT : errno;
  setitimer(ITIMER_REAL, &none, NULL);
  sigaction(SIGALRM, &former, NULL);
  errno = reason;
  return status;
}

int clinux_lock_share_wait(int descriptor) { return lock(descriptor, F_OFD_SETLKW, F_RDLCK); }

int clinux_lock_holder(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_GETLK, &whole) != 0) return -1;
  if (whole.l_type == F_UNLCK) return CLINUX_LOCK_FREE;
  return whole.l_type == F_RDLCK ? CLINUX_LOCK_READERS : CLINUX_LOCK_WRITER;
}
