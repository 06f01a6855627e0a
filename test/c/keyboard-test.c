#include "input/keyboard.h"

#include <X11/keysym.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "expect.h"
#include "fakes.h"

enum { SETTLE = 40000, REST = 500000 };

static void start(void) {
  EXPECT(keyboard_start(NULL));
  notes();
  fake_now += REST;
}

static const char *type(const char *text) {
  keyboard_text((const uint8_t *)text, strlen(text));
  return notes();
}

/* Advances time to what the keyboard waits for; returns what it does then. */
static const char *later(void) {
  EXPECT(keyboard_deadline() != NEVER);
  fake_now = keyboard_deadline();
  keyboard_run();
  return notes();
}

TEST(a_server_without_keyboard_is_refused) {
  fake_x.no_keyboard = true;
  EXPECT(!keyboard_start(NULL));
}

TEST(a_key_is_pressed_once_and_released) {
  start();
  keyboard_key(1, true, XK_a, 0);
  keyboard_key(1, false, XK_a, 0);
  keyboard_key(1, false, XK_a, 0);
  EXPECT_TEXT(notes(), "key 38 down\nkey 38 up\n");
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  keyboard_stop();
}

TEST(a_key_is_released_by_the_code_it_was_pressed_with) {
  start();
  keyboard_key(1, true, XK_a, 0);
  fake_x.modifiers = ShiftMask;
  keyboard_key(1, false, XK_a, 0);
  EXPECT_TEXT(notes(), "key 38 down\nkey 38 up\n");
  keyboard_stop();
}

TEST(a_shortcut_is_its_key_with_or_without_Shift) {
  start();
  keyboard_key(1, true, XK_Control_L, 0);
  notes();
  fake_x.modifiers = ControlMask;
  keyboard_key(1, true, XK_plus, 0);
  EXPECT_TEXT(notes(), "key 21 down\n");
  keyboard_stop();
}

TEST(lock_keys_are_left_alone) {
  static const KeySym locks[] = { XK_Caps_Lock,  XK_Num_Lock, XK_Scroll_Lock,
                                  XK_Shift_Lock, XK_ISO_Lock, XK_ISO_Next_Group };
  start();
  for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) keyboard_key(1, true, (uint32_t)locks[i], 0);
  EXPECT_TEXT(notes(), "");
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  keyboard_stop();
}

TEST(text_is_typed_with_Shift_where_needed) {
  start();
  EXPECT_TEXT(type("aA\n"),
              "key 38 down\nkey 38 up\nkey 50 down\nkey 38 down\nkey 38 up\nkey 50 up\nkey 36 down\nkey 36 up\n");
  keyboard_stop();
}

TEST(text_is_typed_as_it_is_while_Shift_is_held) {
  start();
  keyboard_key(1, true, XK_Shift_L, 0);
  notes();
  EXPECT_TEXT(type("a"), "key 50 up\nkey 38 down\nkey 38 up\nkey 50 down\n");
  keyboard_stop();
}

TEST(a_character_without_a_key_waits_for_a_spare_one_and_what_follows_waits_too) {
  start();
  const char *told = type("\xd0\x96\x61");
  EXPECT(strncmp(told, "map ", 4) == 0 && strstr(told, "0x1000416") != NULL && strstr(told, "key") == NULL);
  EXPECT_EQUAL(keyboard_deadline(), fake_now + SETTLE);
  fake_now += SETTLE - 1;
  keyboard_run();
  EXPECT_TEXT(notes(), "");
  told = later();
  EXPECT(strstr(told, "key 38 down\nkey 38 up\n") != NULL);
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  keyboard_stop();
}

TEST(a_long_text_of_rare_characters_is_typed_in_order) {
  uint8_t text[2 * 200];
  int typed = 0;
  start();
  for (int i = 0; i < 200; i++) {
    text[2 * i] = (uint8_t)(0xd0 + i / 64);
    text[2 * i + 1] = (uint8_t)(0x80 + i % 64);
  }
  keyboard_text(text, sizeof text);
  notes();
  int64_t begun = fake_now;
  while (keyboard_deadline() != NEVER && fake_now < begun + 60 * (int64_t)1000000) {
    for (const char *at = later(); (at = strstr(at, "down\n")); at++) typed++;
  }
  EXPECT_EQUAL(typed, 200);
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  keyboard_stop();
}

TEST(who_leaves_lets_go_of_keys_and_presses_no_more) {
  start();
  keyboard_key(1, true, XK_a, 0);
  keyboard_key(2, true, XK_b, 0);
  /* Waits for a spare key, followed by a key for each character. */
  type("\xd0\x96");
  keyboard_key(1, true, XK_1, 0);
  keyboard_key(2, true, XK_equal, 0);
  keyboard_release(1);
  EXPECT_TEXT(notes(), "key 38 up\n");
  const char *told = later();
  EXPECT(strstr(told, "key 21 down\n") != NULL);
  EXPECT(strstr(told, "key 10 down\n") == NULL);
  keyboard_stop();
}

TEST(a_spare_key_that_is_held_keeps_its_symbol_when_it_is_typed_too) {
  start();
  keyboard_key(1, true, XK_eacute, 0);
  const char *told = notes();
  char mapped[32];
  EXPECT(strncmp(told, "key ", 4) == 0);
  snprintf(mapped, sizeof mapped, "map %d ", atoi(told + 4));
  type("\xc3\xa9");
  for (int i = 0; i < 200; i++) {
    char character[3] = { (char)(0xd0 + i / 64), (char)(0x80 + i % 64), 0 };
    fake_now += REST;
    EXPECT(strstr(type(character), mapped) == NULL);
    while (keyboard_deadline() != NEVER) EXPECT(strstr(later(), mapped) == NULL);
  }
  keyboard_stop();
}

TEST(the_queue_has_an_end) {
  static uint8_t text[4096];
  start();
  type("\xd0\x96");
  memset(text, 'a', sizeof text);
  for (int i = 0; i < 5; i++) keyboard_text(text, sizeof text);
  notes();
  later();
  EXPECT_EQUAL(keyboard_deadline(), NEVER);
  keyboard_stop();
}
