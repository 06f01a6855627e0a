#include "input/keymap.h"

#include <X11/keysym.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "fakes.h"

enum { SPARES = 49, FIRST_SPARE = 244, SETTLE = 40000, REST = 500000 };

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
    KeyCode code = keymap_lend(symbol, fake_now, &retry_at).code;
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

TEST(the_keyboard_begins_in_the_layout_of_the_server_without_locks_and_with_common_characters) {
  EXPECT(keymap_start(NULL));
  const char *told = notes();
  EXPECT(strstr(told, " keys to 254\n") != NULL && strstr(told, " keys to 255\n") != NULL);
  EXPECT(strstr(told, "group 0\nlock 0x12 0x0\n") != NULL);
  fake_now += SETTLE;
  EXPECT_EQUAL(lend(XK_EuroSign), FIRST_SPARE);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(a_key_is_found_by_the_modifiers_that_are_held) {
  start();
  EXPECT_EQUAL(keymap_find(XK_a, 0).code, 38);
  EXPECT_EQUAL(keymap_find(XK_a, ShiftMask).code, 0);
  EXPECT_EQUAL(keymap_find(XK_A, ShiftMask).code, 38);
  EXPECT_EQUAL(keymap_find(XK_A, 0).code, 0);
  EXPECT_EQUAL(keymap_find(XK_exclam, ShiftMask).code, 10);
  EXPECT_EQUAL(keymap_find(XK_eacute, 0).code, 0);
  keymap_stop();
}

TEST(Tab_and_modifiers_are_themselves_whatever_is_held) {
  start();
  EXPECT_EQUAL(keymap_find(XK_Tab, ShiftMask).code, 23);
  EXPECT_EQUAL(keymap_find(XK_Shift_L, ControlMask | ShiftMask).code, 50);
  EXPECT_EQUAL(keymap_find(XK_ISO_Left_Tab, ShiftMask).code, 23);
  keymap_stop();
}

TEST(a_spare_key_is_not_taken_for_one_of_the_layout) {
  start();
  EXPECT_EQUAL(keymap_find(XK_F35, 0).code, 0);
  keymap_stop();
}

TEST(a_symbol_without_a_key_gets_a_spare_one_once_programs_know_it) {
  int64_t retry_at = 0;
  start();
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(retry_at, fake_now + SETTLE);
  const char *told = notes();
  EXPECT(strncmp(told, "map ", 4) == 0);
  int code = atoi(told + 4);
  fake_now += SETTLE - 1;
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at).code, 0);
  fake_now++;
  EXPECT_EQUAL(keymap_lend(rare(0), fake_now, &retry_at).code, code);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(a_spare_key_rests_before_it_gets_another_symbol) {
  int64_t retry_at = 0, begun;
  start();
  begun = fake_now;
  /* The free ones are used up; those of common characters were assigned just now. */
  for (int i = 0; i < 11; i++) keymap_lend(rare(i), fake_now, &retry_at);
  EXPECT_EQUAL(keymap_lend(rare(11), fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(retry_at, begun + REST);
  keymap_stop();
}

TEST(a_pressed_spare_key_keeps_its_symbol) {
  start();
  fake_now += REST;
  KeyCode held = lend(rare(0));
  keymap_mark((struct stroke){ .code = held }, true, fake_now);
  for (int i = 1; i < 3 * SPARES; i++) {
    KeyCode code = lend(rare(i));
    EXPECT(code != 0 && code != held);
    keymap_mark((struct stroke){ .code = code }, false, fake_now);
  }
  EXPECT_EQUAL(lend(rare(0)), held);
  keymap_stop();
}

TEST(while_all_are_pressed_none_is_to_be_had) {
  int64_t retry_at = 0;
  start();
  fake_now += REST;
  for (int i = 0; i < SPARES; i++) keymap_mark((struct stroke){ .code = lend(rare(i)) }, true, fake_now);
  fake_now += REST;
  EXPECT_EQUAL(keymap_lend(rare(SPARES), fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(retry_at, fake_now + REST);
  EXPECT(keymap_lend(rare(0), fake_now, &retry_at).code != 0);
  keymap_stop();
}

enum { KEY_A = 38 };

/* How the key of that place produces the symbol, once it has learned it. */
static struct stroke teach(KeySym symbol, unsigned modifiers) {
  int64_t retry_at = 0;
  struct stroke stroke = keymap_teach(KEY_A, symbol, modifiers, fake_now, &retry_at);
  if (stroke.code || retry_at <= fake_now) return stroke;
  fake_now = retry_at;
  return keymap_teach(KEY_A, symbol, modifiers, fake_now, &retry_at);
}

TEST(a_key_learns_what_another_keyboard_has_in_its_place) {
  int64_t retry_at = 0;
  start();
  EXPECT_EQUAL(keymap_teach(KEY_A, XK_q, 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(retry_at, fake_now + SETTLE);
  const char *told = notes();
  EXPECT(strstr(told, "map 38 to 254: 0/0=0x61 0/1=0x41 1/0=0x71 1/1=0x51\n") != NULL);
  EXPECT(strstr(told, "map 38 to 255: 0/0=0x61 0/1=0x41 1/0=0x71 1/1=0x51\n") != NULL);
  fake_now += SETTLE;
  struct stroke stroke = keymap_teach(KEY_A, XK_q, 0, fake_now, &retry_at);
  EXPECT_EQUAL(stroke.code, KEY_A);
  EXPECT_EQUAL(stroke.group, 1);
  EXPECT_EQUAL(teach(XK_Q, ShiftMask).group, 1);
  EXPECT_EQUAL(teach(XK_a, 0).group, 0);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(what_is_held_chooses_between_the_symbols_of_a_key) {
  start();
  EXPECT_EQUAL(teach(XK_q, 0).group, 1);
  EXPECT_EQUAL(teach(XK_at, Mod5Mask).group, 1);
  EXPECT_EQUAL(teach(XK_Greek_alpha, 0).group, 2);
  EXPECT_EQUAL(teach(XK_q, 0).group, 1);
  keymap_stop();
}

TEST(a_letter_of_the_wrong_case_is_one_of_Caps_Lock) {
  start();
  teach(XK_q, 0);
  struct stroke stroke = teach(XK_Q, 0);
  EXPECT_EQUAL(stroke.group, 1);
  EXPECT_EQUAL(stroke.locks, LockMask);
  keymap_prepare((struct stroke){ .code = KEY_A });
  notes();
  keymap_prepare(stroke);
  EXPECT_TEXT(notes(), "group 1\nlock 0x12 0x2\n");
  keymap_prepare(stroke);
  EXPECT_TEXT(notes(), "");
  keymap_stop();
}

TEST(a_key_that_has_learned_in_all_groups_forgets_what_was_not_used_for_the_longest_time) {
  int64_t retry_at = 0;
  start();
  for (int i = 0; i < 3; i++) EXPECT_EQUAL(teach(rare(i), 0).group, i + 1);
  keymap_mark((struct stroke){ .code = KEY_A, .group = 1 }, false, fake_now);
  EXPECT_EQUAL(keymap_teach(KEY_A, rare(3), 0, fake_now, &retry_at).code, 0);
  EXPECT(retry_at > fake_now && retry_at <= fake_now + REST);
  fake_now += REST;
  EXPECT_EQUAL(teach(rare(3), 0).group, 2);
  EXPECT_EQUAL(teach(rare(0), 0).group, 1);
  keymap_stop();
}

TEST(keys_that_have_no_characters_learn_none) {
  int64_t retry_at = 0;
  start();
  EXPECT_EQUAL(keymap_teach(23, XK_q, 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(keymap_teach(KEY_A, XK_F5, 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(keymap_teach(0, XK_q, 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(keymap_teach(FIRST_SPARE, XK_q, 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(keymap_teach(23, XK_Tab, 0, fake_now, &retry_at).code, 23);
  EXPECT_EQUAL(retry_at, 0);
  keymap_stop();
}

TEST(a_key_of_which_all_is_held_learns_nothing_and_nobody_waits_for_it) {
  int64_t retry_at = 0;
  start();
  for (int i = 0; i < 3; i++) keymap_mark(teach(rare(i), 0), true, fake_now);
  fake_now += REST;
  EXPECT_EQUAL(keymap_teach(KEY_A, rare(3), 0, fake_now, &retry_at).code, 0);
  EXPECT_EQUAL(retry_at, 0);
  EXPECT_EQUAL(teach(rare(1), 0).group, 2);
  keymap_stop();
}
