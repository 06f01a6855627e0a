#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "netpad.h"

#include "expect.h"

/* What the emulator was last told to do: command, number, text; and how often. */
static m64p_command what;
static int number, times, speed, state = M64EMU_RUNNING, video = M64VIDEO_FULLSCREEN;
static char text[512];

static m64p_error obey(m64p_command command, int parameter, void *argument) {
  if (command == M64CMD_CORE_STATE_QUERY) {
    *(int *)argument = parameter == M64CORE_VIDEO_MODE ? video : state;
    return M64ERR_SUCCESS;
  }
  times++;
  what = command;
  number = parameter;
  if (command == M64CMD_CORE_STATE_SET) speed = *(int *)argument;
  else snprintf(text, sizeof text, "%s", argument ? (const char *)argument : "");
  return M64ERR_SUCCESS;
}

static int emulator, asker;

/* Two sockets on this machine, the emulator's and the agent's. */
static void begin(void) {
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  emulator = udp_listen(0);
  asker = socket(AF_INET, SOCK_DGRAM, 0);
  if (getsockname(emulator, (struct sockaddr *)&address, &size) != 0) abort();
  if (connect(asker, (struct sockaddr *)&address, size) != 0) abort();
}

static void tell(const char *command) {
  if (send(asker, command, strlen(command), 0) < 0) abort();
  command_receive(emulator, obey);
}

static const char *ask(void) {
  static char answer[128];
  tell("GET_STATUS");
  ssize_t size = recv(asker, answer, sizeof answer - 1, 0);
  answer[size < 0 ? 0 : size] = 0;
  return answer;
}

TEST(a_status_tells_whether_a_game_is_played_and_seen) {
  begin();
  state = M64EMU_STOPPED;
  EXPECT_TEXT(ask(), "GET_STATUS CONTENTLESS\n");
  state = M64EMU_RUNNING;
  video = M64VIDEO_NONE;
  EXPECT_TEXT(ask(), "GET_STATUS CONTENTLESS\n");
  video = M64VIDEO_FULLSCREEN;
  EXPECT_TEXT(ask(), "GET_STATUS PLAYING nintendo_64\n");
  tell("PAUSE 1");
  EXPECT_TEXT(ask(), "GET_STATUS PAUSED nintendo_64\n");
  tell("PAUSE 0\n");
  EXPECT_TEXT(ask(), "GET_STATUS PLAYING nintendo_64\n");
  EXPECT_EQUAL(times, 0);
}

TEST(states_are_saved_and_loaded_by_their_path) {
  begin();
  tell("SAVE_STATE /a folder/state 1\n");
  EXPECT_EQUAL(what, M64CMD_STATE_SAVE);
  EXPECT_EQUAL(number, 1);
  EXPECT_TEXT(text, "/a folder/state 1");
  tell("LOAD_STATE /b\r\nLOAD_STATE /c");
  EXPECT_EQUAL(what, M64CMD_STATE_LOAD);
  EXPECT_TEXT(text, "/b");
  EXPECT_EQUAL(times, 2);
}

TEST(a_game_is_reset) {
  begin();
  tell("RESET");
  EXPECT_EQUAL(what, M64CMD_RESET);
  EXPECT_EQUAL(times, 1);
}

TEST(a_game_is_played_three_times_as_fast_and_as_fast_as_before) {
  begin();
  tell("FAST_FORWARD 1");
  EXPECT_EQUAL(speed, 300);
  tell("FAST_FORWARD 0");
  EXPECT_EQUAL(speed, 100);
}

TEST(what_is_no_command_does_nothing) {
  static const char *const none[] = { "",          "\n",     "SAVE_STATE", "SAVE_STATES /a", "save_state /a",
                                      "RESET now", " RESET", "PAUSED 1",   "PAUSE",          "GET_STATUS now",
                                      "QUIT" };
  begin();
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) tell(none[i]);
  EXPECT_EQUAL(times, 0);
  EXPECT_TEXT(ask(), "GET_STATUS PLAYING nintendo_64\n");
}

TEST(a_command_that_is_too_long_is_cut) {
  char command[4096] = "SAVE_STATE ";
  begin();
  memset(command + 11, 'a', sizeof command - 12);
  command[sizeof command - 1] = 0;
  tell(command);
  EXPECT_EQUAL(strlen(text), 255 - 11);
}

TEST(nothing_is_carried_out_where_nothing_came) {
  begin();
  command_receive(emulator, obey);
  command_receive(-1, obey);
  EXPECT_EQUAL(times, 0);
}

TEST(whatever_comes_is_read_within_bounds) {
  static const char *const names[] = { "SAVE_STATE ", "LOAD_STATE ", "FAST_FORWARD ", "GET_STATUS", "RESET", "" };
  begin();
  srand(1);
  for (int i = 0; i < 5000; i++) {
    char bytes[600];
    int size = snprintf(bytes, sizeof bytes, "%s", names[rand() % 6]);
    for (int end = size + rand() % 500; size < end; size++) bytes[size] = (char)rand();
    if (send(asker, bytes, (size_t)size, 0) != size) abort();
    command_receive(emulator, obey);
  }
}

static atomic_int reads;

static void *play(void *unused) {
  (void)unused;
  for (int read = 0; read < 33; read++) {
    command_wait_while_paused();
    reads++;
  }
  return NULL;
}

static void wait_for(int count) {
  while (reads < count) usleep(1000);
}

/* That many looks at pads are four frames at least. */
TEST(a_paused_game_stands_still_and_goes_on_only_to_do_what_it_is_told) {
  pthread_t game;
  begin();
  tell("PAUSE 1");
  if (pthread_create(&game, NULL, play, NULL) != 0) abort();
  EXPECT_EQUAL(reads, 0);
  tell("SAVE_STATE /a");
  wait_for(16);
  EXPECT_EQUAL(reads, 16);
  tell("LOAD_STATE /a");
  wait_for(32);
  EXPECT_EQUAL(reads, 32);
  tell("PAUSE 0");
  pthread_join(game, NULL);
  EXPECT_EQUAL(reads, 33);
}

TEST(a_port_that_is_taken_is_said_to_be) {
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t size = sizeof address;
  begin();
  if (getsockname(emulator, (struct sockaddr *)&address, &size) != 0) abort();
  EXPECT_EQUAL(ntohl(address.sin_addr.s_addr), INADDR_LOOPBACK);
  EXPECT_EQUAL(udp_listen(ntohs(address.sin_port)), -1);
}
