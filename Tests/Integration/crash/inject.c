/* Preloaded into almonerd and, through its execveat, into its couriers: fails chosen calls, writes down file operations,
   and lets the boot clock jump ahead, as it does in a machine that slept. What is to fail stands in a file that the test maps too, so it can be changed while the programs run; a
   courier, which may open nothing once it is confined, has it mapped by then.

   cc -shared -fPIC -O1 -o inject.so inject.c -lpthread; LD_PRELOAD=inject.so ALMONER_INJECT=FILE almonerd */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The order is the one of injection.py. */
enum { OPEN, READ, WRITE, FSYNC, FDATASYNC, RENAME, MMAP, CONNECT, CLOSE, UNLINK, MKDIR, LINK, KINDS };
enum { DAEMON = 1, COURIER = 2 };
#define BOOT "/proc/sys/kernel/random/boot_id"
enum { MOST_FILES = 1024, PATH = 256, LOG = 16 << 20 };

struct control {
  int32_t kind;     /* what fails, or -1 */
  int32_t error;    /* with which errno */
  int32_t skip;     /* after so many matching calls */
  int32_t times;    /* so many times, or for ever when negative */
  int32_t programs; /* in which programs, a mask */
  int32_t recording;
  int32_t failed; /* how often it did */
  int32_t seen[2][KINDS]; /* matching calls, of the daemon and of couriers */
  char match[PATH]; /* a part of the path; empty: any file */
  char boot[PATH];  /* read in place of the kernel's boot id, unless empty: the machine was started anew */
  int64_t ahead;    /* nanoseconds by which the boot clock is ahead of the kernel's */
  uint32_t logged;
  unsigned char log[LOG];
};

struct entry {
  uint32_t size, kind, program, flags;
  int64_t offset, result;
  uint32_t path, data; /* lengths; the two follow */
};

static struct control *control;
static int program;
static char paths[MOST_FILES][PATH];
static char preload[PATH + 16], place[PATH + 16];
static char *child_environment[] = {preload, place, NULL};

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }
#define real_syscall REAL(syscall)

static void watch_clock(void);

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("ALMONER_INJECT"), *library = getenv("LD_PRELOAD");
  if (strcmp(program_invocation_short_name, "almonerd") == 0) program = DAEMON;
  /* Run by a descriptor: its name is its argument's. */
  if (strcmp(program_invocation_short_name, "almoner-courier") == 0) program = COURIER;
  if (!file || !library || !program) return;
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
  snprintf(place, sizeof place, "ALMONER_INJECT=%s", file);
  int descriptor = (int)real_syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *map = (void *)real_syscall(
      SYS_mmap, NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  real_syscall(SYS_close, descriptor);
  if (map != MAP_FAILED) control = map;
  if (control && program == DAEMON) watch_clock();
}

static const char *path_of(int file) { return file >= 0 && file < MOST_FILES ? paths[file] : ""; }

static void name(char *out, int directory, const char *path) {
  if (path[0] == '/' || directory < 0) snprintf(out, PATH, "%s", path);
  else snprintf(out, PATH, "%s/%s", path_of(directory), path);
}

/* Whether this call fails, with errno set. */
static int fails(int kind, const char *path) {
  if (!control || (control->match[0] && !strstr(path, control->match)) || !(control->programs & program)) return 0;
  __atomic_add_fetch(&control->seen[program - 1][kind], 1, __ATOMIC_SEQ_CST);
  if (control->kind != kind || __atomic_fetch_sub(&control->skip, 1, __ATOMIC_SEQ_CST) > 0) return 0;
  if (control->times >= 0 && __atomic_fetch_sub(&control->times, 1, __ATOMIC_SEQ_CST) <= 0) {
    control->times = 0;
    return 0;
  }
  __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
  errno = control->error;
  return 1;
}

static void record(int kind, const char *path, struct entry entry, const void *data, size_t count) {
  if (!control || !control->recording || (control->match[0] && !strstr(path, control->match))) return;
  int cause = errno;
  entry.kind = (uint32_t)kind;
  entry.program = (uint32_t)program;
  entry.path = (uint32_t)strlen(path);
  entry.data = (uint32_t)count;
  entry.size = (uint32_t)sizeof entry + entry.path + entry.data;
  uint32_t at = __atomic_fetch_add(&control->logged, entry.size, __ATOMIC_SEQ_CST);
  if (at + entry.size <= LOG) {
    memcpy(control->log + at, &entry, sizeof entry);
    memcpy(control->log + at + sizeof entry, path, entry.path);
    if (count) memcpy(control->log + at + sizeof entry + entry.path, data, count);
  }
  errno = cause;
}

static int opened(int directory, const char *path, int flags, mode_t mode) {
  char full[PATH];
  name(full, directory, path);
  if (fails(OPEN, full)) return -1;
  if (control && control->boot[0] && strcmp(path, BOOT) == 0) path = control->boot;
  int file = (int)real_syscall(SYS_openat, directory, path, flags, mode);
  if (file >= 0 && file < MOST_FILES) strcpy(paths[file], full);
  if (file >= 0 && flags & (O_CREAT | O_TRUNC))
    record(OPEN, full, (struct entry){.flags = (uint32_t)flags, .result = file}, NULL, 0);
  return file;
}

#define MODE(flags, mode) \
  va_list rest; \
  va_start(rest, flags); \
  mode_t mode = (flags) & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
  va_end(rest)

int open(const char *path, int flags, ...) { MODE(flags, mode); return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, mode); return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, mode); return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, mode); return opened(at, path, flags, mode); }

ssize_t read(int file, void *room, size_t count) {
  return fails(READ, path_of(file)) ? -1 : REAL(read)(file, room, count);
}

ssize_t pread(int file, void *room, size_t count, off_t offset) {
  return fails(READ, path_of(file)) ? -1 : REAL(pread)(file, room, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (fails(WRITE, path_of(file))) return -1;
  off_t offset = control && control->recording ? lseek(file, 0, SEEK_CUR) : 0;
  ssize_t written = REAL(write)(file, bytes, count);
  if (written > 0 && path_of(file)[0])
    record(WRITE, path_of(file), (struct entry){.offset = offset, .result = written}, bytes, (size_t)written);
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  if (fails(WRITE, path_of(file))) return -1;
  ssize_t written = REAL(pwrite)(file, bytes, count, offset);
  if (written > 0)
    record(WRITE, path_of(file), (struct entry){.offset = offset, .result = written}, bytes, (size_t)written);
  return written;
}

int fsync(int file) {
  if (fails(FSYNC, path_of(file))) return -1;
  int status = REAL(fsync)(file);
  record(FSYNC, path_of(file), (struct entry){.result = status}, NULL, 0);
  return status;
}

int fdatasync(int file) {
  if (fails(FDATASYNC, path_of(file))) return -1;
  int status = REAL(fdatasync)(file);
  record(FDATASYNC, path_of(file), (struct entry){.result = status}, NULL, 0);
  return status;
}

int renameat(int from, const char *old, int to, const char *new) {
  char before[PATH], after[PATH];
  name(before, from, old);
  name(after, to, new);
  if (fails(RENAME, before)) return -1;
  int status = REAL(renameat)(from, old, to, new);
  if (status == 0) record(RENAME, before, (struct entry){0}, after, strlen(after));
  return status;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

void *mmap(void *at, size_t count, int protection, int flags, int file, off_t offset) {
  if (fails(MMAP, file < 0 ? "memory" : path_of(file))) return MAP_FAILED;
  return (void *)real_syscall(SYS_mmap, at, count, protection, flags, file, offset);
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  const char *path = address->sa_family == AF_UNIX ? ((const struct sockaddr_un *)(const void *)address)->sun_path
                                                   : "network";
  return fails(CONNECT, path) ? -1 : REAL(connect)(socket, address, length);
}

/* A copy of a descriptor leads where the descriptor does. */
int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  int result = (int)real_syscall(SYS_fcntl, file, command, argument);
  int copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (copies && result >= 0 && result < MOST_FILES) snprintf(paths[result], PATH, "%s", path_of(file));
  return result;
}

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  return fcntl(file, command, argument);
}

/* As Linux does: the descriptor is gone, whatever it returns. */
int close(int file) {
  int failing = fails(CLOSE, path_of(file)), cause = errno;
  if (file >= 0 && file < MOST_FILES) paths[file][0] = 0;
  int status = (int)real_syscall(SYS_close, file);
  if (!failing) return status;
  errno = cause;
  return -1;
}

/* Closes its descriptor behind our back. */
int closedir(DIR *directory) {
  int file = dirfd(directory);
  if (file >= 0 && file < MOST_FILES) paths[file][0] = 0;
  return REAL(closedir)(directory);
}

int unlinkat(int directory, const char *path, int flags) {
  char full[PATH];
  name(full, directory, path);
  if (fails(UNLINK, full)) return -1;
  int status = REAL(unlinkat)(directory, path, flags);
  if (status == 0) record(UNLINK, full, (struct entry){.flags = (uint32_t)flags}, NULL, 0);
  return status;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int mkdirat(int directory, const char *path, mode_t mode) {
  char full[PATH];
  name(full, directory, path);
  if (fails(MKDIR, full)) return -1;
  int status = REAL(mkdirat)(directory, path, mode);
  if (status == 0) record(MKDIR, full, (struct entry){.flags = mode}, NULL, 0);
  return status;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
  char before[PATH], after[PATH];
  name(before, from, old);
  name(after, to, new);
  if (fails(LINK, before)) return -1;
  int status = REAL(linkat)(from, old, to, new, flags);
  if (status == 0) record(LINK, before, (struct entry){0}, after, strlen(after));
  return status;
}

/* The boot clock. What the kernel keeps for us, timers, is set by its own clock, and set again after each jump: they are
   due then at once, as they are when a machine wakes. */
enum { NANOSECONDS = 1000000000 };
static pthread_mutex_t timers = PTHREAD_MUTEX_INITIALIZER;
static int64_t due[MOST_FILES]; /* of each timer, by the clock that is ahead; 0: not set */

static int64_t ahead(void) { return control ? __atomic_load_n(&control->ahead, __ATOMIC_SEQ_CST) : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = REAL(clock_gettime)(clock, now);
  if (status != 0 || clock != CLOCK_BOOTTIME) return status;
  int64_t sum = now->tv_sec * (int64_t)NANOSECONDS + now->tv_nsec + ahead();
  *now = (struct timespec){.tv_sec = sum / NANOSECONDS, .tv_nsec = sum % NANOSECONDS};
  return 0;
}

static int set(int file, int64_t when) {
  int64_t kernels = when == 0 ? 0 : when > ahead() ? when - ahead() : 1;
  struct itimerspec value = {.it_value = {.tv_sec = kernels / NANOSECONDS, .tv_nsec = kernels % NANOSECONDS}};
  return REAL(timerfd_settime)(file, TFD_TIMER_ABSTIME, &value, NULL);
}

int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (!control || flags != TFD_TIMER_ABSTIME || old || file >= MOST_FILES)
    return REAL(timerfd_settime)(file, flags, value, old);
  pthread_mutex_lock(&timers);
  due[file] = value->it_value.tv_sec * (int64_t)NANOSECONDS + value->it_value.tv_nsec;
  int status = set(file, due[file]);
  pthread_mutex_unlock(&timers);
  return status;
}

static void *watch(void *nothing) {
  for (int64_t before = ahead();;) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (ahead() == before) continue;
    before = ahead();
    pthread_mutex_lock(&timers);
    for (int file = 0; file < MOST_FILES; file++)
      if (due[file]) set(file, due[file]);
    pthread_mutex_unlock(&timers);
  }
  return nothing;
}

/* The daemon's signals are not for this thread. */
static void watch_clock(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A courier starts with an empty environment; this is how it comes to be watched too. */
long syscall(long number, ...) {
  long word[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) word[index] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_execveat && control) word[3] = (long)child_environment;
  return real_syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
