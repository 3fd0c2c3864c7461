#include "CLinux/parent.h"

#include <sys/prctl.h>

int clinux_signal_on_parent_death(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }
