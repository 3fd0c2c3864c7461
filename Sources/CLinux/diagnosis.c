#include "CLinux/diagnosis.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* linux/tcp.h and netinet/tcp.h cannot be included together; the number is of the kernel's interface. */
enum { LISTENING = 10, ANSWER_BYTES = 32 << 10 };

struct question {
  struct nlmsghdr header;
  struct inet_diag_req_v2 body;
};

int clinux_diagnosis(void) {
  int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (netlink < 0) return -1;
  /* The kernel answers at once; this is for a kernel that does not. */
  struct timeval patience = {.tv_sec = 1};
  if (setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0) return netlink;
  int cause = errno;
  close(netlink);
  errno = cause;
  return -1;
}

static int ask(int netlink, struct question *question, uint16_t flags) {
  static uint32_t sequence;
  question->header.nlmsg_len = sizeof *question;
  question->header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question->header.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
  question->header.nlmsg_seq = ++sequence;
  question->body.sdiag_protocol = IPPROTO_TCP;
  question->body.id.idiag_cookie[0] = question->body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent = sendto(netlink, question, sizeof *question, 0, (struct sockaddr *)&kernel, sizeof kernel);
  if (sent == sizeof *question) return 0;
  if (sent >= 0) errno = EIO;
  return -1;
}

/* A datagram of the kernel's. */
static ssize_t hear(int netlink, void *room, size_t size) {
  for (;;) {
    struct sockaddr_nl from;
    socklen_t length = sizeof from;
    ssize_t count = recvfrom(netlink, room, size, MSG_TRUNC, (struct sockaddr *)&from, &length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (length != sizeof from || from.nl_pid != 0) continue;
    if ((size_t)count <= size) return count;
    errno = EOVERFLOW;
    return -1;
  }
}

static int is_refusal(const struct nlmsghdr *message) {
  if (message->nlmsg_type != NLMSG_ERROR) return 0;
  const struct nlmsgerr *refusal = NLMSG_DATA(message);
  int has_room = message->nlmsg_len >= NLMSG_LENGTH(sizeof *refusal);
  errno = has_room && refusal->error < 0 ? -refusal->error : EIO;
  return 1;
}

static int take(const struct nlmsghdr *message, struct clinux_tcp_socket *found) {
  const struct inet_diag_msg *body = NLMSG_DATA(message);
  if (message->nlmsg_type != SOCK_DIAG_BY_FAMILY || message->nlmsg_len < NLMSG_LENGTH(sizeof *body)) {
    errno = EIO;
    return -1;
  }
  *found = (struct clinux_tcp_socket){
      .family = body->idiag_family,
      .local_port = ntohs(body->id.idiag_sport),
      .remote_port = ntohs(body->id.idiag_dport),
      .is_listening = body->idiag_state == LISTENING,
      .user = body->idiag_uid,
      .inode = body->idiag_inode,
  };
  memcpy(found->local, body->id.idiag_src, sizeof found->local);
  memcpy(found->remote, body->id.idiag_dst, sizeof found->remote);
  return 0;
}

int clinux_tcp_listeners(int netlink, int32_t family, uint16_t port, struct clinux_tcp_socket *found, int room) {
  struct question question = {
      .body = {.sdiag_family = (uint8_t)family, .idiag_states = 1u << LISTENING, .id.idiag_sport = htons(port)}};
  if (ask(netlink, &question, NLM_F_DUMP) != 0) return -1;
  _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
  for (int count = 0, changed = 0;;) {
    ssize_t left = hear(netlink, answer, sizeof answer);
    if (left < 0) return -1;
    for (struct nlmsghdr *message = (void *)answer; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_seq != question.header.nlmsg_seq) continue;
      if (message->nlmsg_flags & NLM_F_DUMP_INTR) changed = 1;
      if (message->nlmsg_type == NLMSG_DONE) {
        if (count <= room && !changed) return count;
        errno = changed ? EAGAIN : EOVERFLOW;
        return -1;
      }
      struct clinux_tcp_socket spare;
      if (is_refusal(message) || take(message, count < room ? &found[count] : &spare) != 0) return -1;
      count++;
    }
  }
}

int clinux_tcp_connection(int netlink, struct clinux_tcp_socket *wanted) {
  struct question question = {.body = {
                                  .sdiag_family = (uint8_t)wanted->family,
                                  .idiag_states = ~0u,
                                  .id.idiag_sport = htons(wanted->local_port),
                                  .id.idiag_dport = htons(wanted->remote_port),
                              }};
  memcpy(question.body.id.idiag_src, wanted->local, sizeof wanted->local);
  memcpy(question.body.id.idiag_dst, wanted->remote, sizeof wanted->remote);
  if (ask(netlink, &question, 0) != 0) return -1;
  _Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
  for (;;) {
    ssize_t left = hear(netlink, answer, sizeof answer);
    if (left < 0) return -1;
    for (struct nlmsghdr *message = (void *)answer; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_seq != question.header.nlmsg_seq) continue;
      if (is_refusal(message)) return errno == ENOENT ? 0 : -1;
      return take(message, wanted) == 0 ? 1 : -1;
    }
  }
}
