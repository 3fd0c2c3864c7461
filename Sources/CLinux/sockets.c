#include "CLinux/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "CLinux/events.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

_Static_assert(CLINUX_SOCKET_PATH_LIMIT == sizeof(((struct sockaddr_un *)0)->sun_path) - 1, "path limit");

int clinux_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

static int address(struct sockaddr_un *address, const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length > CLINUX_SOCKET_PATH_LIMIT) {
    errno = length == 0 ? EINVAL : ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

int clinux_connect(int socket, const char *path, int64_t nanoseconds) {
  struct sockaddr_un to;
  if (address(&to, path) != 0) return -1;
  struct timeval limit = {.tv_sec = nanoseconds / 1000000000, .tv_usec = nanoseconds % 1000000000 / 1000};
  if (limit.tv_sec <= 0 && limit.tv_usec <= 0) limit = (struct timeval){.tv_usec = 1}; /* 0 would be no limit */
  if (setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return -1;
  if (connect(socket, (struct sockaddr *)&to, sizeof to) != 0) return -1;
  return fcntl(socket, F_SETFL, O_NONBLOCK);
}

int clinux_bind(int socket, const char *path) {
  struct sockaddr_un to;
  return address(&to, path) == 0 ? bind(socket, (struct sockaddr *)&to, sizeof to) : -1;
}

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

static int option(int socket, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

int clinux_is_listener(int descriptor) {
  return option(descriptor, SO_DOMAIN) == AF_UNIX && option(descriptor, SO_TYPE) == SOCK_STREAM &&
         option(descriptor, SO_ACCEPTCONN) == 1;
}

int clinux_peer(int socket, pid_t *process, uid_t *user) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *process = peer.pid;
  *user = peer.uid;
  return 0;
}

int clinux_peer_pidfd(int socket) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0 ? pidfd : -1;
}

ssize_t clinux_receive(int socket, void *bytes, size_t room, int *refused) {
  struct iovec part = {.iov_base = bytes, .iov_len = room};
  /* No room for ancillary data: the kernel then drops it and says MSG_CTRUNC. */
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  *refused = count >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
  return count;
}

ssize_t clinux_send(int socket, const void *bytes, size_t count) {
  ssize_t sent;
  do {
    sent = send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

int clinux_wait(int socket, int writing, int64_t due) {
  struct pollfd watched = {.fd = socket, .events = writing ? POLLOUT : POLLIN};
  for (;;) {
    /* poll's own clock stands still in suspend, so the boot clock is asked again each time, hourly at least. */
    int64_t left = due - clinux_boot_nanoseconds();
    if (left < 0) left = 0;
    int64_t milliseconds = (left + 999999) / 1000000;
    int ready = poll(&watched, 1, milliseconds > 3600000 ? 3600000 : (int)milliseconds);
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return -1;
    if (left == 0) return 0;
  }
}

int32_t clinux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int32_t)limit.rlim_cur;
}
