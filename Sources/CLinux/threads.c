#include "CLinux/threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct start {
  void (*body)(void *);
  void *argument;
  char name[16];
};

static void *begin(void *raw) {
  struct start start = *(struct start *)raw;
  free(raw);
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.argument);
  return NULL;
}

int clinux_start_thread(const char *name, size_t stack, void (*body)(void *), void *argument) {
  struct start *start = calloc(1, sizeof *start);
  if (start == NULL) return ENOMEM;
  start->body = body;
  start->argument = argument;
  strncpy(start->name, name, sizeof start->name - 1);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, begin, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (failure != 0) free(start);
  return failure;
}

struct clinux_monitor {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

struct clinux_monitor *clinux_monitor_new(void) {
  struct clinux_monitor *monitor = malloc(sizeof *monitor);
  if (monitor == NULL) abort();
  pthread_mutex_init(&monitor->mutex, NULL);
  pthread_cond_init(&monitor->condition, NULL);
  return monitor;
}

void clinux_monitor_lock(struct clinux_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void clinux_monitor_unlock(struct clinux_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }
void clinux_monitor_wait(struct clinux_monitor *monitor) { pthread_cond_wait(&monitor->condition, &monitor->mutex); }
void clinux_monitor_signal(struct clinux_monitor *monitor) { pthread_cond_signal(&monitor->condition); }
