/* The least that a command line can do, as the limit to compare with: it connects to a socket, sends what is in a file,
 * reads to the NUL of the answer, writes that to standard output, and ends.
 *
 * usage: caller SOCKET FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char room[1 << 16];

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 3 || strlen(words[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, words[1]);
  int file = open(words[2], O_RDONLY);
  ssize_t length = file < 0 ? -1 : read(file, room, sizeof room);
  int daemon = socket(AF_UNIX, SOCK_STREAM, 0);
  if (length <= 0 || daemon < 0 || connect(daemon, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  if (write(daemon, room, length) != length) return 1;
  for (size_t have = 0; have < sizeof room;) {
    ssize_t got = read(daemon, room + have, sizeof room - have);
    if (got <= 0) return 1;
    have += got;
    if (room[have - 1] == '\0') return write(STDOUT_FILENO, room, have) == (ssize_t)have ? 0 : 1;
  }
  return 1;
}
