#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include "netpad.h"

int udp_listen(int port) {
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons((uint16_t)port),
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
  };
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("netpad: bind");
    close(descriptor);
    return -1;
  }
  return descriptor;
}
