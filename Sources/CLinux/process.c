#include "CLinux/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int clinux_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  /* Swift's backtracer, where it is found, hands a crashed process's memory to another one and prints it. */
  static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (unsigned i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
    if (signal(crashes[i], SIG_DFL) == SIG_ERR) return -1;
  }
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
