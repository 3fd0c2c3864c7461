/* What kind of file system a descriptor lies on. */
#pragma once
#include <stdint.h>

/* Whether its files may be elsewhere than on this machine: NFS, SMB, AFS, Ceph, 9P, OCFS2, GFS2, Lustre, and FUSE, which
   does not say what is behind it. 1, 0, or -1 with errno. */
int clinux_is_remote(int descriptor);
