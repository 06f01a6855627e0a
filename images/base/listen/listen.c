/*
 * berth-listen PORT PROGRAM [ARGUMENT]...: listens on a TCP port of all addresses and becomes the program, which takes
 * over the socket by the descriptor in $BERTH_LISTEN_FD. Whoever connects before the program accepts is not refused but
 * waits, and so need not try again. Without a socket the program is left to open the port, and to say why it cannot.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Above those that the start script uses for pipes (images/base/etc/start). */
enum { DESCRIPTOR = 9, BACKLOG = 64 };

static int bound(int family, const struct sockaddr *address, socklen_t size) {
  int fd = socket(family, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  int on = 1, off = 0;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0) return fd;
  close(fd);
  return -1;
}

/* Some hosts have no IPv6. */
static int listening(in_port_t port) {
  struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_ANY_INIT };
  struct sockaddr_in any4 = { .sin_family = AF_INET, .sin_port = htons(port) };
  int fd = bound(AF_INET6, (const struct sockaddr *)&any, sizeof any);
  return fd >= 0 ? fd : bound(AF_INET, (const struct sockaddr *)&any4, sizeof any4);
}

int main(int count, char **arguments) {
  int port = count < 3 ? 0 : atoi(arguments[1]);
  if (port < 1 || port > 65535) {
    fputs("usage: berth-listen PORT PROGRAM [ARGUMENT]...\n", stderr);
    return 2;
  }
  int fd = listening((in_port_t)port);
  if (fd >= 0) {
    char text[12];
    snprintf(text, sizeof text, "%d", DESCRIPTOR);
    if (dup2(fd, DESCRIPTOR) == DESCRIPTOR) setenv("BERTH_LISTEN_FD", text, 1);
    if (fd != DESCRIPTOR) close(fd);
  }
  execvp(arguments[2], arguments + 2);
  fprintf(stderr, "berth-listen: %s: %s\n", arguments[2], strerror(errno));
  return 127;
}
