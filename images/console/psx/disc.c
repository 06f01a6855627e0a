#include "disc.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
  struct disc_control of;
  bool is_known;
  int socket;
  /* Frames until the tray is closed; 0: it is. */
  unsigned open_for;
  /* The disc to put in, from 1; 0: none. */
  unsigned wanted;
} disc = { .socket = -1 };

void disc_control(const struct disc_control *control) {
  disc.is_known = control != NULL;
  if (control != NULL) disc.of = *control;
}

int disc_listen(int port) {
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons((uint16_t)port),
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
  };
  if (disc.socket >= 0) return disc.socket;
  disc.socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (disc.socket >= 0 && bind(disc.socket, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("[psx] bind");
    close(disc.socket);
    disc.socket = -1;
  }
  return disc.socket;
}

static unsigned count(void) { return disc.is_known ? disc.of.get_num_images() : 0; }

int disc_inside(void) {
  unsigned index = disc.is_known ? disc.of.get_image_index() : 0;
  return index < count() ? (int)index : -1;
}

/* From 1; 0: none. */
static unsigned current(void) { return (unsigned)(disc_inside() + 1); }

static void want(unsigned number) {
  if (number == 0 || number > count()) return;
  disc.wanted = number == current() ? 0 : number;
}

static void put_in_wanted(void) {
  unsigned number = disc.wanted;
  disc.wanted = 0;
  if (number == 0 || (!disc.of.get_eject_state() && !disc.of.set_eject_state(true))) return;
  disc.of.set_image_index(number - 1);
  disc.open_for = DISC_OPEN_FRAMES;
}

static void obey(const char *command, const struct sockaddr *asker, socklen_t size, bool is_starting) {
  if (strncmp(command, "DISC", 4) != 0 || (command[4] != 0 && command[4] != ' ')) return;
  want((unsigned)strtoul(command + 4, NULL, 10));
  if (!is_starting) put_in_wanted();
  char answer[64];
  int length = snprintf(answer, sizeof answer, "DISC %u %u", disc.wanted != 0 ? disc.wanted : current(), count());
  /* An agent that is gone needs no answer. */
  if (sendto(disc.socket, answer, (size_t)length, 0, asker, size) < 0) return;
}

static void receive(bool is_starting) {
  if (disc.socket < 0) return;
  char command[64];
  struct sockaddr_in asker;
  socklen_t size = sizeof asker;
  ssize_t length = recvfrom(disc.socket, command, sizeof command - 1, 0, (struct sockaddr *)&asker, &size);
  if (length < 0) return;
  command[length] = 0;
  obey(command, (struct sockaddr *)&asker, size, is_starting);
}

void disc_frame(bool is_starting) {
  if (disc.open_for > 0 && --disc.open_for == 0) disc.of.set_eject_state(false);
  if (!is_starting) put_in_wanted();
  receive(is_starting);
}

void disc_close_tray(void) {
  if (disc.open_for == 0) return;
  disc.open_for = 0;
  disc.of.set_eject_state(false);
}

void disc_forget_wanted(void) { disc.wanted = 0; }
