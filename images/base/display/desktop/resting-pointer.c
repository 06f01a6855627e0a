#include "desktop/resting-pointer.h"

#include <X11/cursorfont.h>

/* The second screen of images/base/etc/x-server, to the right of the visible one. */
enum { RESTING_SCREEN = 1 };

static struct {
  const struct screen *screen;
  bool awake;
} resting;

static bool is_on(const struct screen *screen) {
  Window root, window;
  int x, y;
  unsigned state;
  return XQueryPointer(screen->display, screen->root, &root, &window, &x, &y, &x, &y, &state);
}

void resting_pointer_start(const struct screen *screen) {
  Display *display = screen->display;
  bool fresh = screen->width == screen->max_width && screen->height == screen->max_height;
  if (fresh && ScreenCount(display) > RESTING_SCREEN) {
    Window root = RootWindow(display, RESTING_SCREEN);
    /* The same cursor as on the visible screen, where the window manager sets it. */
    Cursor arrow = XCreateFontCursor(display, XC_left_ptr);
    XDefineCursor(display, root, arrow);
    XFreeCursor(display, arrow);
    XWarpPointer(display, None, root, 0, 0, 0, 0, DisplayWidth(display, RESTING_SCREEN) - 1, 0);
  }
  resting.screen = screen;
  resting.awake = is_on(screen);
}

void resting_pointer_wake(int x, int y) {
  if (resting.awake) return;
  resting.awake = true;
  /* XTEST cannot move the pointer to another screen. */
  XWarpPointer(resting.screen->display, None, resting.screen->root, 0, 0, 0, 0, x, y);
}
