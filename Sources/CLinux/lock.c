#include "CLinux/lock.h"

#include <errno.h>
#include <fcntl.h>
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

int clinux_lock_share_wait(int descriptor) { return lock(descriptor, F_OFD_SETLKW, F_RDLCK); }

int clinux_lock_holder(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_GETLK, &whole) != 0) return -1;
  if (whole.l_type == F_UNLCK) return CLINUX_LOCK_FREE;
  return whole.l_type == F_RDLCK ? CLINUX_LOCK_READERS : CLINUX_LOCK_WRITER;
}
