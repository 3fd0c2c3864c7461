/* What a process does to itself before it holds a secret. */
#pragma once

/* PR_SET_DUMPABLE 0, RLIMIT_CORE 0, and no handler of crashes. Returns 0, or -1 with errno. */
int clinux_forbid_dumps(void);

/* PR_SET_NO_NEW_PRIVS. Returns 0, or -1 with errno. */
int clinux_no_new_privileges(void);
