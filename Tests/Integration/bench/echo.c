/* The least that a local server can do, as the limit to compare with: one thread, one epoll, and for each message that
 * ends in NUL the same answer of the length that was asked for.
 *
 * usage: echo SOCKET BYTES NANOSECONDS      prints one line when it listens
 *
 * NANOSECONDS is how long it works for each message; with 0 it only receives and sends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, LONGEST = 1 << 20 };

static char room[1 << 16];
static char *answer;
static size_t length;
static long work;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void watch(int poll, int socket) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) != 0) fail("epoll_ctl");
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void pretend(void) {
  long until = work == 0 ? 0 : now() + work;
  while (work != 0 && now() < until) continue;
}

static void serve(int socket) {
  ssize_t count = read(socket, room, sizeof room);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) {
    close(socket);
    return;
  }
  for (ssize_t i = 0; i < count; i++) {
    if (room[i] != 0) continue;
    pretend();
    if (send(socket, answer, length, MSG_NOSIGNAL) != (ssize_t)length) {
      close(socket);
      return;
    }
  }
}

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  length = count == 4 ? strtoul(arguments[2], NULL, 10) : 0;
  if (length == 0 || length > LONGEST || strlen(arguments[1]) >= sizeof address.sun_path) {
    fprintf(stderr, "usage: echo SOCKET BYTES NANOSECONDS\n");
    return 2;
  }
  work = atol(arguments[3]);
  answer = malloc(length);
  if (answer == NULL) fail("malloc");
  memset(answer, 'x', length - 1);
  answer[length - 1] = 0;
  strcpy(address.sun_path, arguments[1]);
  int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (door < 0 || bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 1024) != 0) fail("listen");
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (poll < 0) fail("epoll_create1");
  watch(poll, door);
  puts("ready");
  fflush(stdout);
  for (;;) {
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poll, events, EVENTS, -1);
    for (int i = 0; i < ready; i++) {
      if (events[i].data.fd != door) {
        serve(events[i].data.fd);
        continue;
      }
      int caller;
      while ((caller = accept4(door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) watch(poll, caller);
    }
  }
}
