#include "desktop/placement.h"

#include <stdbool.h>
#include <string.h>

#include "common/clock.h"
#include "desktop/manager.h"

/* A window that does not go where it is asked to is not asked again for so long. */
static const int64_t PATIENCE_US = 1000000;

static struct {
  Display *display;
  Window asked;
  struct bounds wanted;
  int64_t asked_at;
} placement;

void placement_start(Display *display) {
  placement.display = display;
}

/* The next place and size within the length of the screen. */
static void fit(int *start, int *length, int screen) {
  if (*length > screen) *length = screen;
  if (*start + *length > screen) *start = screen - *length;
  if (*start < 0) *start = 0;
}

static bool is_dragging(void) {
  Window root, top;
  int x, y, inside_x, inside_y;
  unsigned state;
  enum { BUTTONS = Button1Mask | Button2Mask | Button3Mask };
  return XQueryPointer(placement.display, DefaultRootWindow(placement.display), &root, &top, &x, &y, &inside_x,
                       &inside_y, &state) &&
         (state & BUTTONS);
}

static void keep_within(Window window, int width, int height) {
  struct managed_window now;
  if (!manager_read(window, &now) || !now.is_free) return;
  struct bounds wanted = now.outer;
  fit(&wanted.x, &wanted.width, width);
  fit(&wanted.y, &wanted.height, height);
  if (memcmp(&wanted, &now.outer, sizeof wanted) == 0) return;
  bool is_asked = window == placement.asked && memcmp(&wanted, &placement.wanted, sizeof wanted) == 0;
  if (is_asked && now_us() - placement.asked_at < PATIENCE_US) return;
  placement.asked = window;
  placement.wanted = wanted;
  placement.asked_at = now_us();
  manager_place(window, wanted);
}

void placement_run(void) {
  XWindowAttributes screen;
  if (!XGetWindowAttributes(placement.display, DefaultRootWindow(placement.display), &screen)) return;
  unsigned long count;
  Window *all = manager_windows(&count);
  if (count > 0 && !is_dragging()) {
    for (unsigned long i = 0; i < count; i++) keep_within(all[i], screen.width, screen.height);
  }
  if (all) XFree(all);
}
