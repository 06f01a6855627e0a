#include "input/pointer.h"

#include <X11/extensions/XTest.h>
#include <stdlib.h>

#include "common/clock.h"
#include "desktop/resting-pointer.h"
#include "desktop/windows.h"
#include "wire/from-helper.h"
#include "wire/out.h"

enum {
  FULL = 65535,
  HELD_MAX = 32,
  /* XTEST has only wheel clicks; Chromium scrolls by this many pixels per click. */
  CLICK_PIXELS = 120,
  CLICKS_MAX = 40,
  GESTURE_PAUSE_US = 400000,
  WHEEL_UP = 4,
  WHEEL_DOWN = 5,
  WHEEL_LEFT = 6,
  WHEEL_RIGHT = 7,
};

static const unsigned char buttons[] = { 1, 2, 3, 8, 9 };

static struct {
  const struct screen *screen;
  struct {
    uint32_t user;
    unsigned button;
  } held[HELD_MAX];
  int held_count;
  struct wheel {
    int rest;
    bool backwards;
  } horizontal, vertical;
  int64_t scrolled_at;
} pointer;

void pointer_start(const struct screen *screen) {
  pointer.screen = screen;
  /* A killed helper has left its buttons pressed. */
  for (size_t i = 0; i < sizeof buttons; i++) XTestFakeButtonEvent(screen->display, buttons[i], False, CurrentTime);
}

static int place(unsigned fraction, int size) {
  return (int)((fraction * (unsigned)(size - 1) + FULL / 2) / FULL);
}

void pointer_move(unsigned x, unsigned y) {
  const struct screen *screen = pointer.screen;
  int left = place(x, screen->width), top = place(y, screen->height);
  resting_pointer_wake(left, top);
  XTestFakeMotionEvent(screen->display, -1, left, top, CurrentTime);
  XFlush(screen->display);
}

static bool is_down(unsigned button) {
  for (int i = 0; i < pointer.held_count; i++) {
    if (pointer.held[i].button == button) return true;
  }
  return false;
}

static void send(unsigned button, bool down) {
  XTestFakeButtonEvent(pointer.screen->display, button, down, CurrentTime);
  XFlush(pointer.screen->display);
}

static void release_at(int index) {
  unsigned button = pointer.held[index].button;
  pointer.held[index] = pointer.held[--pointer.held_count];
  if (is_down(button)) return;
  send(button, false);
  /* It may have dragged a window. */
  windows_changed();
}

void pointer_button(uint32_t user, unsigned button, bool down) {
  unsigned number = buttons[button];
  for (int i = 0; i < pointer.held_count; i++) {
    if (pointer.held[i].user != user || pointer.held[i].button != number) continue;
    if (!down) release_at(i);
    return;
  }
  if (!down || pointer.held_count == HELD_MAX) return;
  if (pointer.held_count == 0) windows_pressed();
  if (!is_down(number)) send(number, true);
  pointer.held[pointer.held_count].user = user;
  pointer.held[pointer.held_count++].button = number;
}

/* Turns accumulated pixels into whole clicks, rounded to the nearest so that the first one comes early. */
static void click(struct wheel *wheel, int pixels, unsigned back, unsigned forth) {
  if (pixels == 0) return;
  if (wheel->backwards != (pixels < 0)) wheel->rest = 0;
  wheel->backwards = pixels < 0;
  int sum = wheel->rest + pixels;
  int clicks = (sum + (sum > 0 ? CLICK_PIXELS / 2 : -(CLICK_PIXELS / 2))) / CLICK_PIXELS;
  wheel->rest = sum - clicks * CLICK_PIXELS;
  for (int left = abs(clicks) < CLICKS_MAX ? abs(clicks) : CLICKS_MAX; left > 0; left--) {
    send(clicks > 0 ? forth : back, true);
    send(clicks > 0 ? forth : back, false);
  }
}

void pointer_wheel(int dx, int dy) {
  int x, y;
  bool is_whole_clicks = dx % CLICK_PIXELS == 0 && dy % CLICK_PIXELS == 0;
  if (is_whole_clicks || !windows_focused_at_pointer(&x, &y)) {
    pointer_turn(dx, dy);
    return;
  }
  uint8_t head[SCROLL_BYTES];
  put_scroll(head, (struct scroll_message){ (int16_t)dx, (int16_t)dy, (uint16_t)x, (uint16_t)y });
  out_send(head, sizeof head, NULL, 0);
}

void pointer_turn(int dx, int dy) {
  int64_t now = now_us();
  if (now - pointer.scrolled_at > GESTURE_PAUSE_US) pointer.horizontal.rest = pointer.vertical.rest = 0;
  pointer.scrolled_at = now;
  click(&pointer.horizontal, dx, WHEEL_LEFT, WHEEL_RIGHT);
  click(&pointer.vertical, dy, WHEEL_UP, WHEEL_DOWN);
}

void pointer_find_target(unsigned x, unsigned y) {
  const struct screen *screen = pointer.screen;
  uint8_t head[TARGET_BYTES];
  put_target(head, (struct target_message){ windows_focused_at(place(x, screen->width), place(y, screen->height)) });
  out_send(head, sizeof head, NULL, 0);
}

void pointer_release(uint32_t user) {
  for (int i = pointer.held_count - 1; i >= 0; i--) {
    if (user == 0 || pointer.held[i].user == user) release_at(i);
  }
}
