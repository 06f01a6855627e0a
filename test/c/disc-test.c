#include "psx/disc.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "expect.h"

/* The emulator: it takes another disc only while the tray is open. */
static bool is_open, is_stuck;
static unsigned inside, images = 3;

static bool set_eject_state(bool open) {
  if (is_stuck || open == is_open) return false;
  is_open = open;
  return true;
}
static bool get_eject_state(void) {
  return is_open;
}
static unsigned get_image_index(void) {
  return inside;
}
static bool set_image_index(unsigned index) {
  if (is_open) inside = index;
  return is_open;
}
static unsigned get_num_images(void) {
  return images;
}

static const struct disc_control emulator = {
  set_eject_state, get_eject_state, get_image_index, set_image_index, get_num_images,
};

static int agent;

static void begin(const struct disc_control *control) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  disc_control(control);
  if (getsockname(disc_listen(0), (struct sockaddr *)&address, &size) != 0) abort();
  agent = socket(AF_INET, SOCK_DGRAM, 0);
  if (connect(agent, (struct sockaddr *)&address, size) != 0) abort();
}

static bool is_starting;

/* The answer to a command, after a frame; empty if there is none. */
static const char *ask(const char *command) {
  static char answer[64];
  if (send(agent, command, strlen(command), 0) < 0) abort();
  disc_frame(is_starting);
  ssize_t size = recv(agent, answer, sizeof answer - 1, MSG_DONTWAIT);
  answer[size < 0 ? 0 : size] = 0;
  return answer;
}

static void frames(int count) {
  while (count-- > 0) disc_frame(is_starting);
}

TEST(a_disc_is_changed_with_the_tray_open_which_closes_after_a_second) {
  begin(&emulator);
  EXPECT_TEXT(ask("DISC"), "DISC 1 3");
  EXPECT_TEXT(ask("DISC 2"), "DISC 2 3");
  EXPECT(is_open);
  frames(DISC_OPEN_FRAMES - 1);
  EXPECT(is_open);
  frames(1);
  EXPECT(!is_open);
  EXPECT_TEXT(ask("DISC"), "DISC 2 3");
}

TEST(a_second_change_while_the_tray_is_open_counts) {
  begin(&emulator);
  ask("DISC 2");
  EXPECT_TEXT(ask("DISC 3"), "DISC 3 3");
  frames(DISC_OPEN_FRAMES);
  EXPECT(!is_open);
  EXPECT_EQUAL(inside, 2);
}

TEST(a_disc_waits_until_the_game_has_started) {
  begin(&emulator);
  is_starting = true;
  EXPECT_TEXT(ask("DISC 2"), "DISC 2 3");
  EXPECT_TEXT(ask("DISC 3"), "DISC 3 3");
  frames(DISC_OPEN_FRAMES);
  EXPECT(!is_open);
  EXPECT_EQUAL(inside, 0);
  is_starting = false;
  frames(1);
  EXPECT(is_open);
  EXPECT_EQUAL(inside, 2);
  frames(DISC_OPEN_FRAMES);
  EXPECT(!is_open);
  EXPECT_TEXT(ask("DISC"), "DISC 3 3");
}

TEST(a_disc_that_waits_is_not_put_in_if_the_first_is_wanted_again_or_a_state_was_loaded) {
  begin(&emulator);
  is_starting = true;
  ask("DISC 2");
  EXPECT_TEXT(ask("DISC 1"), "DISC 1 3");
  ask("DISC 3");
  disc_forget_wanted();
  is_starting = false;
  frames(1);
  EXPECT(!is_open);
  EXPECT_EQUAL(inside, 0);
}

TEST(the_same_disc_and_discs_that_are_not_there_change_nothing) {
  begin(&emulator);
  EXPECT_TEXT(ask("DISC 1"), "DISC 1 3");
  EXPECT_TEXT(ask("DISC 4"), "DISC 1 3");
  EXPECT_TEXT(ask("DISC 99999999999999999999"), "DISC 1 3");
  EXPECT_TEXT(ask("DISC -1"), "DISC 1 3");
  EXPECT_TEXT(ask("DISC x"), "DISC 1 3");
  EXPECT_TEXT(ask("DISCO 2"), "");
  EXPECT_TEXT(ask(""), "");
  EXPECT(!is_open);
}

TEST(a_tray_that_does_not_open_keeps_its_disc) {
  begin(&emulator);
  is_stuck = true;
  EXPECT_TEXT(ask("DISC 2"), "DISC 1 3");
}

TEST(no_disc_is_number_0) {
  begin(&emulator);
  inside = (unsigned)-1;
  EXPECT_TEXT(ask("DISC"), "DISC 0 3");
  images = 0;
  EXPECT_TEXT(ask("DISC 1"), "DISC 0 0");
}

TEST(an_emulator_without_discs_is_answered_for) {
  begin(NULL);
  EXPECT_TEXT(ask("DISC 1"), "DISC 0 0");
}

TEST(states_find_the_tray_closed) {
  begin(&emulator);
  ask("DISC 2");
  disc_close_tray();
  EXPECT(!is_open);
  disc_close_tray();
  frames(DISC_OPEN_FRAMES);
  EXPECT(!is_open);
  EXPECT_EQUAL(inside, 1);
}
