#include "input/held-keys.h"

#include <X11/keysym.h>

#include "expect.h"
#include "fakes.h"

enum { SHIFT = 50 };

static const struct stroke A = { .code = 38 }, B = { .code = 56 };

TEST(a_key_left_pressed_by_a_helper_before_is_released) {
  fake_x.down = 66;
  held_keys_start(NULL);
  EXPECT_TEXT(notes(), "repeat after 65535 every 65535\nkey 66 up\n");
}

TEST(a_key_is_held_until_its_user_releases_it) {
  held_keys_press(1, XK_a, A, 5);
  EXPECT(held_keys_has(1, XK_a));
  EXPECT(!held_keys_has(2, XK_a));
  EXPECT(!held_keys_has(1, XK_A));
  held_keys_release(2, XK_a, 6);
  EXPECT_TEXT(notes(), "key 38 down\nmark 38 1 at 5\n");
  held_keys_release(1, XK_a, 7);
  EXPECT_TEXT(notes(), "key 38 up\nmark 38 0 at 7\n");
  EXPECT(!held_keys_has(1, XK_a));
}

TEST(a_key_that_two_hold_is_pressed_once_and_released_by_the_last) {
  held_keys_press(1, XK_a, A, 1);
  held_keys_press(2, XK_A, A, 2);
  EXPECT_TEXT(notes(), "key 38 down\nmark 38 1 at 1\nmark 38 1 at 2\n");
  held_keys_release(1, XK_a, 3);
  EXPECT_TEXT(notes(), "");
  held_keys_release(2, XK_A, 4);
  EXPECT_TEXT(notes(), "key 38 up\nmark 38 0 at 4\n");
}

TEST(all_keys_of_a_user_are_released) {
  held_keys_press(1, XK_a, A, 1);
  held_keys_press(2, XK_b, B, 1);
  held_keys_press(1, XK_Shift_L, (struct stroke){ .code = SHIFT }, 1);
  notes();
  held_keys_release_all(1, 2);
  EXPECT_TEXT(notes(), "key 50 up\nmark 50 0 at 2\nkey 38 up\nmark 38 0 at 2\n");
  EXPECT(held_keys_has(2, XK_b));
  held_keys_release_all(1, 3);
  EXPECT_TEXT(notes(), "");
}

TEST(user_0_releases_what_everybody_holds) {
  for (uint32_t user = 1; user <= 3; user++)
    held_keys_press(user, XK_a + user, (struct stroke){ .code = (KeyCode)(A.code + user) }, 1);
  notes();
  held_keys_release_all(0, 2);
  EXPECT_TEXT(notes(), "key 41 up\nmark 41 0 at 2\nkey 40 up\nmark 40 0 at 2\nkey 39 up\nmark 39 0 at 2\n");
}

TEST(beyond_64_keys_nothing_is_pressed) {
  for (uint32_t user = 1; user <= 64; user++) held_keys_press(user, XK_a, A, 1);
  notes();
  held_keys_press(65, XK_b, B, 2);
  EXPECT_TEXT(notes(), "");
  EXPECT(!held_keys_has(65, XK_b));
  held_keys_release(1, XK_a, 3);
  held_keys_press(65, XK_b, B, 4);
  EXPECT_TEXT(notes(), "key 56 down\nmark 56 1 at 4\n");
}

TEST(held_modifiers_are_lifted_for_a_moment_other_keys_are_not) {
  held_keys_press(1, XK_Shift_L, (struct stroke){ .code = SHIFT }, 1);
  held_keys_press(1, XK_a, A, 1);
  notes();
  held_keys_suspend_modifiers();
  EXPECT_TEXT(notes(), "key 50 up\n");
  held_keys_resume_modifiers();
  EXPECT_TEXT(notes(), "key 50 down\n");
}

TEST(a_key_is_released_in_the_group_in_which_it_was_pressed) {
  held_keys_press(1, XK_at, (struct stroke){ .code = 48, .group = 2 }, 1);
  EXPECT_TEXT(notes(), "prepare group 2\nkey 48 down\nmark 48 1 at 1\n");
  held_keys_release(1, XK_at, 2);
  EXPECT_TEXT(notes(), "prepare group 2\nkey 48 up\nmark 48 0 at 2\n");
}

TEST(a_held_key_is_repeated_once_while_nobody_sees_it_pressed_anew) {
  held_keys_press(1, XK_a, A, 1);
  notes();
  held_keys_repeat(1, XK_a, 2);
  EXPECT_TEXT(notes(), "grab\nrepeat after 4 every 65535\nkey 38 up\nkey 38 down\nungrab\n"
                       "repeat after 65535 every 65535\nmark 38 1 at 2\n");
  fake_x.grabbed = true;
  held_keys_repeat(1, XK_a, 3);
  EXPECT_TEXT(notes(), "grabbed already\nkey 38 up\nkey 38 down\nmark 38 1 at 3\n");
}
