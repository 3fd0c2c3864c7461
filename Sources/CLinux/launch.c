#include "CLinux/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The three standard descriptors and the ready pipe take 0..3; what comes from us is first moved above them. */
enum { READY = 3, FIRST_FREE = 4 };

static int above(int fd) { return fd < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : fd; }

static int move_above(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE); }

static int arrange_descriptors(const struct clinux_launch *what, int *report) {
  int input = move_above(above(what->input));
  int output = move_above(above(what->output));
  int ready = what->ready < 0 ? -1 : move_above(what->ready);
  *report = move_above(*report);
  if (input < 0 || output < 0 || *report < 0 || (what->ready >= 0 && ready < 0)) return -1;
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) return -1;
  if (ready >= 0 && dup2(ready, READY) < 0) return -1;
  /* Marked instead of closed: the report must stay open until exec has worked. */
  if (ready < 0) close(READY);
  return (int)syscall(SYS_close_range, FIRST_FREE, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */);
}

static void default_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become(const struct clinux_launch *what, int report) {
  default_signals();
  if (arrange_descriptors(what, &report) == 0 && (!what->detached || setsid() >= 0) &&
      (!what->secluded || chdir("/") == 0)) {
    if (what->secluded) umask(077);
    execve(what->path, what->arguments, what->environment);
  }
  int reason = errno;
  (void)!write(report, &reason, sizeof reason);
  _exit(127);
}

pid_t clinux_launch(const struct clinux_launch *what) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t child = fork();
  if (child == 0) become(what, report[1]);
  int failure = errno;
  close(report[1]);
  if (child > 0) {
    ssize_t count;
    do count = read(report[0], &failure, sizeof failure);
    while (count < 0 && errno == EINTR);
    if (count == (ssize_t)sizeof failure) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
      child = -1;
    }
  }
  close(report[0]);
  if (child < 0) errno = failure;
  return child;
}
