#include "input/keymap.h"

#include <X11/keysym.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "fakes.h"

enum { SPARES = 50, FIRST_SPARE = 244, SETTLE = 40000, REST = 500000 };

/* Symbols without a key. */
static KeySym rare(int index) {
  return 0x1000400 + (KeySym)index;
}

static void start(void) {
  EXPECT(keymap_start(NULL));
  notes();
}

/* A spare key that is ready for the symbol, immediately or after waiting. */
static KeyCode lend(KeySym symbol) {
  int64_t retry_at = 0;
  for (int tries = 0; tries < 4; tries++) {
    KeyCode code = keymap_lend(symbol, fake_now, &retry_at);
    if (code) return code;
    EXPECT(retry_at > fake_now);
    fake_now = retry_at;
  }
  return 0;
}

TEST(a_server_without_keyboard_is_refused) {
  fake_x.no_keyboard = true;
  EXPECT(!keymap_start(NULL));
  keymap_stop();
}

TEST(common_characters_have_spare_keys_from_the_start_and_Caps_Lock_is_off) {
  EXPECT(keymap_start(NULL));
  const char *told = notes();
  EXPECT(strncmp(told, "map 244 0x20ac 0x20ac\nmap 245 0xa3 0xa3\n", 40) == 0);
  EXPECT(strstr(told, "lock 0x2 0x0\n") != NULL);
  fake_now += SETTLE;
  EXPECT_EQUAL(lend(XK_EuroSign), FIRST_SPARE);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(a_key_is_found_by_the_modifiers_that_are_held) {
  start();
  EXPECT_EQUAL(keymap_find(XK_a, 0), 38);
  EXPECT_EQUAL(keymap_find(XK_a, ShiftMask), 0);
  EXPECT_EQUAL(keymap_find(XK_A, ShiftMask), 38);
  EXPECT_EQUAL(keymap_find(XK_A, 0), 0);
  EXPECT_EQUAL(keymap_find(XK_exclam, ShiftMask), 10);
  EXPECT_EQUAL(keymap_find(XK_eacute, 0), 0);
  keymap_stop();
}

TEST(Tab_and_modifiers_are_themselves_whatever_is_held) {
  start();
  EXPECT_EQUAL(keymap_find(XK_Tab, ShiftMask), 23);
  EXPECT_EQUAL(keymap_find(XK_Shift_L, ControlMask | ShiftMask), 50);
  EXPECT_EQUAL(keymap_find(XK_ISO_Left_Tab, ShiftMask), 23);
  keymap_stop();
}

TEST(a_spare_key_is_not_taken_for_one_of_the_layout) {
  start();
  EXPECT_EQUAL(keymap_find(XK_F35, 0), 0);
  keymap_stop();
}

TEST(a_symbol_without_a_key_gets_a_spare_one_once_programs_know_it) {
  int64_t retry_at = 0;
  start();
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at), 0);
  EXPECT_EQUAL(retry_at, fake_now + SETTLE);
  const char *told = notes();
  EXPECT(strncmp(told, "map ", 4) == 0);
  int code = atoi(told + 4);
  fake_now += SETTLE - 1;
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at), 0);
  fake_now++;
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at), code);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(a_spare_key_rests_before_it_gets_another_symbol) {
  int64_t retry_at = 0, begun;
  start();
  begun = fake_now;
  for (int i = 0; i < 12; i++) keymap_lend(rare(i), fake_now, &retry_at);
  /* The free ones are used up; those of common characters were assigned just now. */
  EXPECT_EQUAL(keymap_lend(rare(12), fake_now, &retry_at), 0);
  EXPECT_EQUAL(retry_at, begun + REST);
  keymap_stop();
}

TEST(a_pressed_spare_key_keeps_its_symbol) {
  start();
  fake_now += REST;
  KeyCode held = lend(rare(0));
  keymap_mark(held, true, fake_now);
  for (int i = 1; i < 3 * SPARES; i++) {
    KeyCode code = lend(rare(i));
    EXPECT(code != 0 && code != held);
    keymap_mark(code, false, fake_now);
  }
  EXPECT_EQUAL(lend(rare(0)), held);
  keymap_stop();
}

TEST(while_all_are_pressed_none_is_to_be_had) {
  int64_t retry_at = 0;
  start();
  fake_now += REST;
  for (int i = 0; i < SPARES; i++) keymap_mark(lend(rare(i)), true, fake_now);
  fake_now += REST;
  EXPECT_EQUAL(keymap_lend(rare(SPARES), fake_now, &retry_at), 0);
  EXPECT_EQUAL(retry_at, fake_now + REST);
  EXPECT(keymap_lend(rare(0), fake_now, &retry_at) != 0);
  keymap_stop();
}
