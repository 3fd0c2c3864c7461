/* A caller that asks again as soon as it is answered, and says how often, and how long each answer took.
 *
 * usage: client SOCKET REQUEST END MODE CONNECTIONS MILLISECONDS
 *
 *   REQUEST  a file with the bytes of one request
 *   END      how an answer ends: `nul`, `length` (four bytes in front say how long it is), `object` (a closing brace)
 *   MODE     `kept`: every connection is used again and again; `new`: a connection a request, one after another
 *
 * Prints one line of JSON: requests, seconds, p50, p99, max (microseconds), bytes (of the first answer). Fails when an
 * answer is not like the first one, or none comes for 20 seconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, MOST_SAMPLES = 8 << 20, PATIENCE = 20000, UNLIKE = 64, FIRST = 65536 };

enum end { NUL, LENGTH, OBJECT };

struct connection {
  int socket;
  uint64_t began;
  size_t received;
  /* The answer's first four bytes, its length where it has one in front. */
  unsigned char head[4];
  char last;
};

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char *request;
static size_t request_length;
static enum end end;
static char room[1 << 16];
static char first[FIRST];
static size_t first_length;
static uint32_t *samples;
static size_t sample_count;
static uint64_t over;

static void fail(const char *what) {
  fprintf(stderr, "client: %s (errno %d)\n", what, errno);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void ask(struct connection *to) {
  to->received = 0;
  to->began = now();
  if (send(to->socket, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) fail("cannot send");
}

static void open_connection(struct connection *made) {
  made->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made->socket < 0) fail("no socket");
  if (connect(made->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("cannot connect");
}

static int is_whole(const struct connection *from) {
  switch (end) {
  case NUL: return from->last == 0;
  case OBJECT: return from->last == '}';
  case LENGTH:
    if (from->received < 4) return 0;
    return from->received == 4 + ((size_t)from->head[0] << 24 | from->head[1] << 16 | from->head[2] << 8 | from->head[3]);
  }
  return 0;
}

/* Takes what there is of an answer. Returns whether it is whole, and checks it then. */
static int receive(struct connection *from) {
  ssize_t count = recv(from->socket, room, sizeof room, 0);
  if (count <= 0) fail(count == 0 ? "closed before the answer was whole" : "cannot receive");
  for (size_t i = from->received; i < 4 && i < from->received + (size_t)count; i++) {
    from->head[i] = (unsigned char)room[i - from->received];
  }
  if (first_length == 0 && from->received + (size_t)count <= FIRST) memcpy(first + from->received, room, (size_t)count);
  from->received += (size_t)count;
  from->last = room[count - 1];
  if (!is_whole(from)) return 0;
  if (first_length == 0) {
    first_length = from->received;
    if (first_length <= FIRST && memmem(first, first_length, "\"error\"", 7) != NULL) fail("an error was answered");
  }
  if (from->received > first_length + UNLIKE || from->received + UNLIKE < first_length) fail("an answer unlike the first");
  return 1;
}

static void note(const struct connection *of) {
  uint64_t took = now() - of->began;
  if (sample_count < MOST_SAMPLES) samples[sample_count++] = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
}

static void keep_one(void) {
  struct connection one;
  open_connection(&one);
  do {
    ask(&one);
    while (!receive(&one)) continue;
    note(&one);
  } while (now() < over);
  close(one.socket);
}

static void renew(void) {
  do {
    struct connection one;
    uint64_t began = now();
    open_connection(&one);
    ask(&one);
    one.began = began;
    while (!receive(&one)) continue;
    note(&one);
    close(one.socket);
  } while (now() < over);
}

static void keep_many(int count) {
  static struct connection all[MOST_CONNECTIONS];
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (poll < 0) fail("epoll_create1");
  for (int i = 0; i < count; i++) {
    open_connection(&all[i]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event) != 0) fail("epoll_ctl");
    ask(&all[i]);
  }
  while (now() < over) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, PATIENCE);
    if (ready == 0) fail("nobody answers");
    for (int i = 0; i < ready; i++) {
      struct connection *from = events[i].data.ptr;
      if (!receive(from)) continue;
      note(from);
      ask(from);
    }
  }
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

static double percentile(double share) {
  size_t rank = (size_t)(share * (double)(sample_count - 1) + 0.5);
  return samples[rank] / 1000.0;
}

static void read_request(const char *path) {
  FILE *file = fopen(path, "rb");
  request = malloc(FIRST);
  if (file == NULL || request == NULL) fail("cannot read the request");
  request_length = fread(request, 1, FIRST, file);
  fclose(file);
}

int main(int count, char **arguments) {
  if (count != 7 || strlen(arguments[1]) >= sizeof address.sun_path) {
    fprintf(stderr, "usage: client SOCKET REQUEST nul|length|object kept|new CONNECTIONS MILLISECONDS\n");
    return 2;
  }
  strcpy(address.sun_path, arguments[1]);
  read_request(arguments[2]);
  end = strcmp(arguments[3], "nul") == 0 ? NUL : strcmp(arguments[3], "length") == 0 ? LENGTH : OBJECT;
  int connections = atoi(arguments[5]);
  if (connections < 1 || connections > MOST_CONNECTIONS) fail("too many connections");
  samples = malloc(MOST_SAMPLES * sizeof *samples);
  if (samples == NULL) fail("no memory");
  memset(samples, 0, 1 << 20);
  alarm((unsigned)(atoi(arguments[6]) / 1000 + PATIENCE / 1000));
  uint64_t began = now();
  over = began + (uint64_t)atoi(arguments[6]) * 1000000u;
  if (strcmp(arguments[4], "new") == 0) renew();
  else if (connections == 1) keep_one();
  else keep_many(connections);
  double seconds = (double)(now() - began) / 1e9;
  qsort(samples, sample_count, sizeof *samples, compare);
  printf("{\"requests\": %zu, \"seconds\": %.6f, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f, \"bytes\": %zu}\n",
         sample_count, seconds, percentile(0.5), percentile(0.99), percentile(1), first_length);
  return 0;
}
