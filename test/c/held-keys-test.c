#include "input/held-keys.h"

#include <X11/keysym.h>

#include "expect.h"
#include "fakes.h"

enum { A = 38, SHIFT = 50 };

TEST(a_key_left_pressed_by_a_helper_before_is_released) {
  fake_x.down = 66;
  held_keys_start(NULL);
  EXPECT_TEXT(notes(), "key 66 up\n");
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
  held_keys_press(2, XK_b, 56, 1);
  held_keys_press(1, XK_Shift_L, SHIFT, 1);
  notes();
  held_keys_release_all(1, 2);
  EXPECT_TEXT(notes(), "key 50 up\nmark 50 0 at 2\nkey 38 up\nmark 38 0 at 2\n");
  EXPECT(held_keys_has(2, XK_b));
  held_keys_release_all(1, 3);
  EXPECT_TEXT(notes(), "");
}

TEST(user_0_releases_what_everybody_holds) {
  for (uint32_t user = 1; user <= 3; user++) held_keys_press(user, XK_a + user, (KeyCode)(A + user), 1);
  notes();
  held_keys_release_all(0, 2);
  EXPECT_TEXT(notes(), "key 41 up\nmark 41 0 at 2\nkey 40 up\nmark 40 0 at 2\nkey 39 up\nmark 39 0 at 2\n");
}

TEST(beyond_64_keys_nothing_is_pressed) {
  for (uint32_t user = 1; user <= 64; user++) held_keys_press(user, XK_a, A, 1);
  notes();
  held_keys_press(65, XK_b, 56, 2);
  EXPECT_TEXT(notes(), "");
  EXPECT(!held_keys_has(65, XK_b));
  held_keys_release(1, XK_a, 3);
  held_keys_press(65, XK_b, 56, 4);
  EXPECT_TEXT(notes(), "key 56 down\nmark 56 1 at 4\n");
}

TEST(held_modifiers_are_lifted_for_a_moment_other_keys_are_not) {
  held_keys_press(1, XK_Shift_L, SHIFT, 1);
  held_keys_press(1, XK_a, A, 1);
  notes();
  held_keys_suspend_modifiers();
  EXPECT_TEXT(notes(), "key 50 up\n");
  held_keys_resume_modifiers();
  EXPECT_TEXT(notes(), "key 50 down\n");
}
