#include "CLinux/filesystem.h"

#include <stddef.h>
#include <sys/vfs.h>

/* From linux/magic.h and the file systems' own sources; that header lacks half of them. */
static const uint32_t remote[] = {
  0x00006969, /* NFS */
  0x0000517b, /* SMB, the old client */
  0xff534d42, /* CIFS */
  0xfe534d42, /* SMB2 */
  0x5346414f, /* AFS */
  0x6b414653, /* kAFS */
  0x73757245, /* Coda */
  0x00c36400, /* Ceph */
  0x01021997, /* 9P */
  0x0000564c, /* NCP */
  0x7461636f, /* OCFS2 */
  0x01161970, /* GFS2 */
  0x0bd00bd0, /* Lustre */
  0x65735546, /* FUSE: sshfs and the like */
};

int clinux_is_remote(int descriptor) {
  struct statfs about;
  if (fstatfs(descriptor, &about) != 0) return -1;
  for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
    if ((uint32_t)about.f_type == remote[i]) return 1;
  return 0;
}
