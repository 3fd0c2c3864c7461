#include "CLinux/mounts.h"

#include <linux/magic.h>
#include <sys/vfs.h>

/* Not in every kernel's magic.h. */
#define CIFS_MAGIC 0xFF534D42u
#define SMB2_MAGIC 0xFE534D42u
#define CEPH_MAGIC 0x00C36400u
#define GFS2_MAGIC 0x01161970u
#define OCFS2_MAGIC 0x7461636Fu
#define LUSTRE_MAGIC 0x0BD00BD0u

int clinux_is_networked(int descriptor) {
  struct statfs about;
  if (fstatfs(descriptor, &about) != 0) return -1;
  switch ((unsigned)about.f_type) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case CIFS_MAGIC:
    case SMB2_MAGIC:
    case AFS_SUPER_MAGIC:
    case AFS_FS_MAGIC:
    case CODA_SUPER_MAGIC:
    case V9FS_MAGIC:
    case CEPH_MAGIC:
    case GFS2_MAGIC:
    case OCFS2_MAGIC:
    case LUSTRE_MAGIC:
      return 1;
    default:
      return 0;
  }
}
