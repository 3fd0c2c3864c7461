#include <microhttpd.h>
#include <stdint.h>

/* Swift cannot call variadic functions: one wrapper for each that is used. */

static inline struct MHD_Daemon *cmhd_start(unsigned int flags, MHD_AcceptPolicyCallback policy,
                                            MHD_AccessHandlerCallback handler, void *context,
                                            struct MHD_OptionItem *options) {
  return MHD_start_daemon(flags, 0, policy, context, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/* The connection's socket, or -1. */
static inline int cmhd_connection_fd(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/* The epoll descriptor of a daemon without a thread of its own, or -1. */
static inline int cmhd_epoll_fd(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/* How many connections a daemon has open. */
static inline unsigned int cmhd_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

/* A callback option's value, as the option array wants it. */
static inline intptr_t cmhd_uri_callback(void *(*callback)(void *, const char *, struct MHD_Connection *)) {
  return (intptr_t)callback;
}

static inline intptr_t cmhd_completed_callback(MHD_RequestCompletedCallback callback) { return (intptr_t)callback; }
