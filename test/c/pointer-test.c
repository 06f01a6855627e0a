#include "input/pointer.h"

#include <fcntl.h>
#include <unistd.h>

#include "expect.h"
#include "fakes.h"
#include "wire/out.h"

static struct screen screen = { .width = 1280, .height = 720 };
static int reader;

static void start(void) {
  int ends[2];
  EXPECT_EQUAL(pipe(ends), 0);
  dup2(ends[1], STDOUT_FILENO);
  reader = ends[0];
  fcntl(reader, F_SETFL, O_NONBLOCK);
  out_start(-1);
  pointer_start(&screen);
  notes();
}

TEST(buttons_left_pressed_by_a_helper_before_are_released) {
  pointer_start(&screen);
  EXPECT_TEXT(notes(), "button 1 up\nbutton 2 up\nbutton 3 up\nbutton 8 up\nbutton 9 up\n");
}

TEST(fractions_of_the_screen_become_pixels) {
  start();
  pointer_move(0, 0);
  pointer_move(65535, 65535);
  pointer_move(32768, 32768);
  EXPECT_TEXT(notes(), "motion 0 0\nmotion 1279 719\nmotion 640 360\n");
}

TEST(a_pointer_that_rests_is_put_on_the_screen_before_it_moves) {
  start();
  fake_x.resting = true;
  pointer_move(0, 65535);
  pointer_move(0, 0);
  EXPECT_TEXT(notes(), "wake 0 719\nmotion 0 719\nmotion 0 0\n");
}

TEST(the_largest_screen_does_not_overflow) {
  start();
  screen = (struct screen){ .width = 65535, .height = 65535 };
  pointer_move(65535, 65535);
  EXPECT_TEXT(notes(), "motion 65534 65534\n");
}

TEST(a_button_that_two_hold_is_released_by_the_last) {
  start();
  pointer_button(1, 0, true);
  pointer_button(1, 0, true);
  pointer_button(2, 0, true);
  pointer_button(1, 0, false);
  EXPECT_TEXT(notes(), "button 1 down\n");
  pointer_button(3, 0, false);
  EXPECT_TEXT(notes(), "");
  pointer_button(2, 0, false);
  EXPECT_TEXT(notes(), "button 1 up\n");
}

TEST(a_user_lets_go_of_all_buttons) {
  start();
  pointer_button(1, 0, true);
  pointer_button(2, 2, true);
  pointer_button(1, 4, true);
  notes();
  pointer_release(1);
  EXPECT_TEXT(notes(), "button 9 up\nbutton 1 up\n");
  pointer_release(0);
  EXPECT_TEXT(notes(), "button 3 up\n");
}

TEST(beyond_32_held_buttons_nothing_is_pressed) {
  start();
  for (uint32_t user = 1; user <= 32; user++) pointer_button(user, 0, true);
  notes();
  pointer_button(33, 1, true);
  EXPECT_TEXT(notes(), "");
}

TEST(pixels_gather_to_clicks) {
  start();
  pointer_turn(0, 59);
  EXPECT_TEXT(notes(), "");
  pointer_turn(0, 1);
  EXPECT_TEXT(notes(), "button 5 down\nbutton 5 up\n");
  pointer_turn(0, 119);
  EXPECT_TEXT(notes(), "");
  pointer_turn(120, -120);
  EXPECT_TEXT(notes(), "button 7 down\nbutton 7 up\nbutton 4 down\nbutton 4 up\n");
}

TEST(a_pause_forgets_what_has_gathered) {
  start();
  pointer_turn(50, 50);
  fake_now += 400001;
  pointer_turn(50, 50);
  EXPECT_TEXT(notes(), "");
}

TEST(one_message_makes_40_clicks_at_most) {
  int clicks = 0;
  start();
  pointer_turn(-32768, 0);
  for (const char *at = notes(); *at; at++) clicks += *at == '\n';
  EXPECT_EQUAL(clicks, 80);
}

TEST(what_is_no_whole_click_is_left_to_the_agent_where_the_focus_is_under_the_pointer) {
  uint8_t bytes[64];
  start();
  pointer_wheel(0, 30);
  EXPECT(read(reader, bytes, sizeof bytes) < 0);
  fake_x.focused = true;
  pointer_wheel(-2, 30);
  EXPECT_EQUAL(read(reader, bytes, sizeof bytes), 17);
  EXPECT_BYTES(bytes, "\x0d\0\0\0\0\0\0\0\x0c\xfe\xff\x1e\0\x64\0\x32\0", 17);
  EXPECT_TEXT(notes(), "");
  pointer_wheel(0, 120);
  EXPECT_TEXT(notes(), "button 5 down\nbutton 5 up\n");
}

TEST(the_agent_is_told_whether_the_focus_is_at_a_place) {
  uint8_t bytes[64];
  start();
  fake_x.focused = true;
  pointer_find_target(0, 65535);
  EXPECT_EQUAL(read(reader, bytes, sizeof bytes), 10);
  EXPECT_BYTES(bytes, "\x06\0\0\0\0\0\0\0\x0f\x01", 10);
  EXPECT_TEXT(notes(), "window at 0 719\n");
}
