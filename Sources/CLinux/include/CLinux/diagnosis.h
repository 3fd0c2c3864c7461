/* The kernel's TCP sockets, asked for one by one over NETLINK_SOCK_DIAG (sock_diag(7)), where /proc/net/tcp would walk
   through a table of all connections that there could be. */
#pragma once
#include <stdint.h>

/* One socket. Addresses of version 4 are four bytes. */
struct clinux_tcp_socket {
  int32_t family;
  uint8_t local[16];
  uint8_t remote[16];
  uint16_t local_port;
  uint16_t remote_port;
  int32_t is_listening;
  uint32_t user;
  /* 0 when nobody has accepted it. */
  uint32_t inode;
};

/* A descriptor to ask by; -1 with errno. */
int clinux_diagnosis(void);

/* The sockets of a family (AF_INET, AF_INET6) that listen on a port, at most `room` of them. How many there are, or -1
   with errno: what the kernel said, EOVERFLOW when there are more, EAGAIN when they changed meanwhile. */
int clinux_tcp_listeners(int diagnosis, int32_t family, uint16_t port, struct clinux_tcp_socket *found, int room);

/* The socket with the family, ends and ports that `wanted` has, which is filled in. 1, 0 when there is none, -1 with
   errno. */
int clinux_tcp_connection(int diagnosis, struct clinux_tcp_socket *wanted);
