/* A child's tie to the process that started it. */
#pragma once

/* PR_SET_PDEATHSIG: the kernel sends `signal` when the thread that started us ends. Returns 0, or -1 with errno. */
int clinux_signal_on_parent_death(int signal);
