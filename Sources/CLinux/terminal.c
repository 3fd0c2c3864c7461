#include "CLinux/terminal.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { WATCHED = sizeof watched / sizeof watched[0] };

static struct termios before;
static struct sigaction former[WATCHED];
static int terminal = -1;

static void restore(void) {
  if (terminal >= 0) tcsetattr(terminal, TCSAFLUSH, &before);
}

/* SIGTSTP too, so that the shell gets a terminal that echoes; after the resume the echo goes off again. */
static void give_back(int number) {
  restore();
  signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  raise(number);
  if (number != SIGTSTP) _exit(128 + number);
  clinux_show_typing();
  clinux_hide_typing(terminal);
}

int clinux_hide_typing(int fd) {
  if (tcgetattr(fd, &before) != 0) return -1;
  struct termios hidden = before;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHOCTL);
  hidden.c_lflag |= ICANON | ECHONL | ISIG;
  terminal = fd;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = give_back;
  action.sa_flags = SA_RESTART;
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &action, &former[i]);
  if (tcsetattr(fd, TCSAFLUSH, &hidden) != 0) {
    clinux_show_typing();
    return -1;
  }
  return 0;
}

void clinux_show_typing(void) {
  restore();
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &former[i], NULL);
}

int clinux_terminal_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}
