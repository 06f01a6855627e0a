#include "netpad.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "expect.h"

enum { BUTTON = 1, ANALOG = 5, DATAGRAM_BYTES = 18 };

static void receive(int player, const void *bytes, size_t size) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) abort();
  if (send(ends[0], bytes, size, 0) != (ssize_t)size) abort();
  pad_receive(ends[1], player);
  close(ends[0]);
  close(ends[1]);
}

static void change(int player, int32_t device, int32_t index, int32_t id, int state) {
  int32_t numbers[] = { 0, device, index, id };
  uint16_t value = (uint16_t)state;
  uint8_t bytes[DATAGRAM_BYTES];
  memcpy(bytes, numbers, sizeof numbers);
  memcpy(bytes + sizeof numbers, &value, sizeof value);
  receive(player, bytes, sizeof bytes);
}

static void button(int id, int down) {
  change(0, BUTTON, 0, id, down);
}

static BUTTONS keys_of(int player) {
  BUTTONS keys;
  memset(&keys, 0xff, sizeof keys);
  pad_read(player, &keys);
  return keys;
}

static BUTTONS keys(void) {
  return keys_of(0);
}

TEST(an_untouched_pad_is_at_rest) {
  EXPECT_EQUAL(keys().Value, 0);
}

TEST(each_button_is_one_of_the_console) {
  /* By RetroArch's numbers. */
  static const BUTTONS wanted[] = {
    { .A_BUTTON = 1 }, { .B_BUTTON = 1 },  { .Value = 0 },     { .START_BUTTON = 1 }, { .U_DPAD = 1 }, { .D_DPAD = 1 },
    { .L_DPAD = 1 },   { .R_DPAD = 1 },    { .R_CBUTTON = 1 }, { .U_CBUTTON = 1 },    { .L_TRIG = 1 }, { .R_TRIG = 1 },
    { .Z_TRIG = 1 },   { .D_CBUTTON = 1 }, { .Value = 0 },     { .Value = 0 },
  };
  for (int id = 0; id < (int)(sizeof wanted / sizeof *wanted); id++) {
    button(id, 1);
    EXPECT_EQUAL(keys().Value, wanted[id].Value);
    EXPECT_EQUAL(keys().Value, wanted[id].Value);
    button(id, 0);
    EXPECT_EQUAL(keys().Value, 0);
  }
}

TEST(buttons_are_held_beside_each_other) {
  button(0, 1);
  button(3, 1);
  button(0, 0xffff);
  EXPECT(keys().A_BUTTON && keys().START_BUTTON);
  button(0, 0);
  EXPECT(!keys().A_BUTTON && keys().START_BUTTON);
}

TEST(a_press_between_two_looks_is_shown_once) {
  button(0, 1);
  button(0, 0);
  EXPECT(keys().A_BUTTON);
  EXPECT(!keys().A_BUTTON);
}

TEST(a_release_between_two_looks_is_shown_once) {
  button(0, 1);
  EXPECT(keys().A_BUTTON);
  button(0, 0);
  button(0, 1);
  EXPECT(!keys().A_BUTTON);
  EXPECT(keys().A_BUTTON);
}

TEST(a_stick_goes_as_far_as_that_of_the_console_and_up_is_positive) {
  static const int cases[][2] = { { INT16_MAX, 80 }, { INT16_MIN, -80 }, { 0, 0 }, { INT16_MAX / 2, 39 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    change(0, ANALOG, 0, 0, cases[i][0]);
    change(0, ANALOG, 0, 1, cases[i][0]);
    EXPECT_EQUAL(keys().X_AXIS, cases[i][1]);
    EXPECT_EQUAL(keys().Y_AXIS, -cases[i][1]);
  }
}

TEST(the_right_stick_is_the_C_buttons_once_it_is_half_way) {
  change(0, ANALOG, 1, 0, 16000);
  change(0, ANALOG, 1, 1, -16000);
  EXPECT_EQUAL(keys().Value, 0);
  change(0, ANALOG, 1, 0, 16001);
  change(0, ANALOG, 1, 1, -16001);
  EXPECT_EQUAL(keys().Value, ((BUTTONS){ .R_CBUTTON = 1, .U_CBUTTON = 1 }).Value);
  change(0, ANALOG, 1, 0, -16001);
  change(0, ANALOG, 1, 1, 16001);
  EXPECT_EQUAL(keys().Value, ((BUTTONS){ .L_CBUTTON = 1, .D_CBUTTON = 1 }).Value);
}

TEST(players_have_pads_of_their_own) {
  change(2, BUTTON, 0, 0, 1);
  change(PLAYERS - 1, ANALOG, 0, 0, INT16_MAX);
  EXPECT_EQUAL(keys_of(0).Value, 0);
  EXPECT_EQUAL(keys_of(1).Value, 0);
  EXPECT(keys_of(2).A_BUTTON);
  EXPECT_EQUAL(keys_of(PLAYERS - 1).X_AXIS, 80);
}

TEST(what_no_pad_has_changes_nothing) {
  static const int32_t none[] = { -1, 16, 17, 32, 255, INT32_MAX, INT32_MIN };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    button(none[i], 1);
    change(0, ANALOG, 0, none[i], 30000);
    change(0, ANALOG, none[i], 0, 30000);
    change(0, none[i], 0, 0, 1);
  }
  change(0, ANALOG, 2, 0, 30000);
  change(0, ANALOG, 0, 2, 30000);
  for (int player = 0; player < PLAYERS; player++) EXPECT_EQUAL(keys_of(player).Value, 0);
}

TEST(a_datagram_of_another_size_is_no_change_unless_it_holds_one) {
  uint8_t bytes[64] = { [4] = BUTTON, [16] = 1 };
  receive(0, bytes, 0);
  receive(0, bytes, 1);
  receive(0, bytes, DATAGRAM_BYTES - 1);
  EXPECT_EQUAL(keys().Value, 0);
  receive(0, bytes, sizeof bytes);
  EXPECT(keys().A_BUTTON);
}

TEST(whatever_comes_the_stick_stays_in_its_bounds) {
  srand(1);
  for (int i = 0; i < 20000; i++) {
    uint8_t bytes[24];
    for (size_t at = 0; at < sizeof bytes; at++) bytes[at] = (uint8_t)rand();
    /* Mostly one that is nearly right. */
    if (i % 8 != 0) {
      for (int at = 4; at < 16; at++) bytes[at] = at % 4 == 0 ? bytes[at] % 20 : 0;
    }
    int player = rand() % PLAYERS;
    receive(player, bytes, (size_t)rand() % sizeof bytes);
    BUTTONS read = keys_of(player);
    EXPECT(read.X_AXIS >= -80 && read.X_AXIS <= 80 && read.Y_AXIS >= -80 && read.Y_AXIS <= 80);
  }
}
