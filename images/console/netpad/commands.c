#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "netpad.h"

/* Speeds in percent; and mupen64plus' own format of states. */
enum { NORMAL_SPEED = 100, FAST_SPEED = 300, STATE_FORMAT = 1 };

/* How often a paused game may still read its pads after a command: it plays that many frames, or a quarter if the game
 * reads all pads in each frame. */
enum { READS_TO_OBEY = 4 * PLAYERS };

static atomic_int paused, reads_left;

/* Before the game has started, commands are ignored; paused before its first picture it would not get a window. */
static int has_begun(do_command_fn do_command) {
  int state = M64EMU_STOPPED, video = M64VIDEO_NONE;
  do_command(M64CMD_CORE_STATE_QUERY, M64CORE_EMU_STATE, &state);
  do_command(M64CMD_CORE_STATE_QUERY, M64CORE_VIDEO_MODE, &video);
  return state != M64EMU_STOPPED && video != M64VIDEO_NONE;
}

static const char *status(do_command_fn do_command) {
  if (!has_begun(do_command)) return "CONTENTLESS";
  return paused ? "PAUSED nintendo_64" : "PLAYING nintendo_64";
}

static void set_speed(do_command_fn do_command, int percent) {
  do_command(M64CMD_CORE_STATE_SET, M64CORE_SPEED_FACTOR, &percent);
}

/* The arguments of the command with this name; NULL if it is another command. */
static char *after(char *command, const char *name) {
  size_t length = strlen(name);
  return strncmp(command, name, length) == 0 && command[length] == ' ' ? command + length + 1 : NULL;
}

/* The core executes this between two frames. */
static void in_game(do_command_fn do_command, m64p_command what, int number, void *argument) {
  do_command(what, number, argument);
  reads_left = READS_TO_OBEY;
}

static void carry_out(char *command, do_command_fn do_command) {
  char *argument;
  if ((argument = after(command, "SAVE_STATE"))) in_game(do_command, M64CMD_STATE_SAVE, STATE_FORMAT, argument);
  else if ((argument = after(command, "LOAD_STATE"))) in_game(do_command, M64CMD_STATE_LOAD, 0, argument);
  else if ((argument = after(command, "FAST_FORWARD"))) {
    set_speed(do_command, strcmp(argument, "0") == 0 ? NORMAL_SPEED : FAST_SPEED);
  } else if ((argument = after(command, "PAUSE"))) {
    reads_left = 0;
    paused = strcmp(argument, "0") != 0;
  } else if (strcmp(command, "RESET") == 0) in_game(do_command, M64CMD_RESET, 0, NULL);
}

void command_wait_while_paused(void) {
  static const struct timespec a_little = { .tv_nsec = 4000000 };
  while (paused) {
    int left = reads_left;
    if (left <= 0) nanosleep(&a_little, NULL);
    else if (atomic_compare_exchange_strong(&reads_left, &left, left - 1)) return;
  }
}

void command_receive(int socket, do_command_fn do_command) {
  char command[256];
  struct sockaddr_in sender;
  socklen_t size = sizeof sender;
  ssize_t length = recvfrom(socket, command, sizeof command - 1, 0, (struct sockaddr *)&sender, &size);
  if (length <= 0) return;
  command[length] = 0;
  command[strcspn(command, "\r\n")] = 0;
  if (strcmp(command, "GET_STATUS") != 0) {
    carry_out(command, do_command);
    return;
  }
  char answer[64];
  int bytes = snprintf(answer, sizeof answer, "GET_STATUS %s\n", status(do_command));
  sendto(socket, answer, (size_t)bytes, 0, (struct sockaddr *)&sender, size);
}
