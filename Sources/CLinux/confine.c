#include "CLinux/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's newest layout: Debian 12's header knows only the first field. */
struct ruleset {
  uint64_t file_system;
  uint64_t network;
  uint64_t scoped;
};

int clinux_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : (int)version;
}

static uint64_t file_system_rights(int version) {
  /* Version 1 has 13 rights, 2 adds refer, 3 truncate, 5 ioctl. */
  int count = version == 1 ? 13 : version == 2 ? 14 : version <= 4 ? 15 : 16;
  return (1ULL << count) - 1;
}

static int allow_reading(int ruleset, const char *path) {
  int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -1;
  struct stat what;
  struct landlock_path_beneath_attr rule = {.parent_fd = parent, .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
  long status = fstat(parent, &what);
  if (status == 0) {
    if (S_ISDIR(what.st_mode)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    status = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  int cause = errno;
  close(parent);
  errno = cause;
  return (int)status;
}

int clinux_landlock(const char *const *readable, size_t count) {
  int version = clinux_landlock_version();
  if (version == 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct ruleset wanted = {.file_system = file_system_rights(version)};
  size_t size = sizeof wanted.file_system;
  if (version >= 4) {
    wanted.network = 1; /* bind(2) of TCP sockets; connecting stays allowed. */
    size = offsetof(struct ruleset, scoped);
  }
  if (version >= 6) {
    wanted.scoped = 3; /* abstract sockets and signals */
    size = sizeof wanted;
  }
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted, size, 0);
  if (ruleset < 0) return -1;
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) status = allow_reading(ruleset, readable[i]);
  if (status == 0) status = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
  int cause = errno;
  close(ruleset);
  errno = cause;
  return status;
}

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000u
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the seccomp filter knows x86_64 and aarch64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM)

int clinux_seccomp(int without_unix_sockets) {
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef X32_BIT
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
      /* running something else */
      REFUSE(SYS_execve), REFUSE(SYS_execveat),
      /* looking into or steering other processes */
      REFUSE(SYS_ptrace), REFUSE(SYS_process_vm_readv), REFUSE(SYS_process_vm_writev), REFUSE(SYS_process_madvise),
      REFUSE(SYS_pidfd_open), REFUSE(SYS_pidfd_getfd), REFUSE(SYS_pidfd_send_signal), REFUSE(SYS_kill),
      REFUSE(SYS_kcmp), REFUSE(SYS_perf_event_open), REFUSE(SYS_bpf),
      /* other people's secrets, other views of the machine */
      REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key), REFUSE(SYS_unshare), REFUSE(SYS_setns),
      REFUSE(SYS_mount), REFUSE(SYS_open_by_handle_at),
      /* calls that are made without a call, past this filter */
      REFUSE(SYS_io_uring_setup), REFUSE(SYS_userfaultfd),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4),
      LOAD(args[0]), /* little-endian: the lower half, which is all that the kernel looks at */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
      ANSWER(without_unix_sockets ? SECCOMP_RET_ERRNO | EAFNOSUPPORT : SECCOMP_RET_ALLOW),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
