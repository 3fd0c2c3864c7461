#include "CLinux/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int clinux_open_program(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int clinux_channel(int pair[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  return fcntl(pair[0], F_SETFL, O_NONBLOCK);
}

struct launch {
  int program;
  int channel;
  const char *name;
  int cause;
};

static void reset_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  const int outlived[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE};
  for (size_t i = 0; i < sizeof outlived / sizeof *outlived; i++) sigaction(outlived[i], &ignored, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves the two descriptors out of the way first: either may be below 4 already. */
static int arrange_descriptors(const struct launch *launch) {
  int program = fcntl(launch->program, F_DUPFD_CLOEXEC, 4);
  int channel = fcntl(launch->channel, F_DUPFD_CLOEXEC, 4);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (program < 0 || channel < 0 || nothing < 0) return -1;
  if (dup2(channel, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0) return -1;
  if (dup3(program, 3, O_CLOEXEC) < 0) return -1;
  return (int)syscall(SYS_close_range, 4, ~0u, 0);
}

/* Runs in our memory until it execs, so it touches nothing but its own stack and `launch`. */
static int child(void *argument) {
  struct launch *launch = argument;
  char *arguments[] = {(char *)launch->name, NULL}, *environment[] = {NULL};
  reset_signals();
  umask(077);
  if (setsid() >= 0 && chdir("/") == 0 && arrange_descriptors(launch) == 0)
    syscall(SYS_execveat, 3, "", arguments, environment, AT_EMPTY_PATH);
  launch->cause = errno;
  _exit(127);
}

pid_t clinux_spawn(int program, const char *name, int channel) {
  const size_t size = 64 << 10;
  char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -1;
  struct launch launch = {program, channel, name, 0};
  /* No handler of ours may run in the child while it shares our memory. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = clone(child, stack + size, CLONE_VM | CLONE_VFORK | SIGCHLD, &launch);
  int cause = process < 0 ? errno : launch.cause;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  munmap(stack, size);
  if (cause == 0) return process;
  if (process >= 0) waitpid(process, NULL, 0);
  errno = cause;
  return -1;
}

int clinux_die_after(int seconds) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  if (timer_create(CLOCK_BOOTTIME, &event, &timer) != 0) return -1;
  struct itimerspec due = {.it_value = {.tv_sec = seconds}};
  return timer_settime(timer, 0, &due, NULL);
}

ssize_t clinux_send_message(int socket, const void *bytes, size_t count) {
  ssize_t sent;
  do sent = send(socket, bytes, count, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t clinux_receive_message(int socket, void *bytes, size_t count) {
  struct iovec room = {bytes, count};
  struct msghdr message = {.msg_iov = &room, .msg_iovlen = 1};
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received >= 0 && message.msg_flags & MSG_TRUNC) {
    errno = EMSGSIZE;
    return -1;
  }
  return received;
}

int clinux_wait_readable(int descriptor, int milliseconds) {
  struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
  int ready;
  do ready = poll(&waiting, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready;
}
