/* A thread with a name and a small stack, and the queue lock it sleeps on. */
#pragma once
#include <stddef.h>

/* Starts a detached thread with every signal blocked. `name` has at most 15 bytes. Returns 0 or an errno. */
int clinux_start_thread(const char *name, size_t stack, void (*body)(void *), void *argument);

struct clinux_monitor;
struct clinux_monitor *clinux_monitor_new(void);
void clinux_monitor_lock(struct clinux_monitor *monitor);
void clinux_monitor_unlock(struct clinux_monitor *monitor);
/* Called with the lock held; returns with the lock held. May return early. */
void clinux_monitor_wait(struct clinux_monitor *monitor);
void clinux_monitor_signal(struct clinux_monitor *monitor);
