#include "desktop/min-size.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>

/* Makes a limit at most `most`; true if it was more. */
static bool lower(int *limit, int most) {
  bool is_more = *limit > most;
  if (is_more) *limit = most;
  return is_more;
}

static void limit(Display *display, Window window) {
  XWindowAttributes screen;
  XSizeHints hints;
  long supplied;
  if (!XGetWMNormalHints(display, window, &hints, &supplied) || !(hints.flags & PMinSize)) return;
  if (!XGetWindowAttributes(display, DefaultRootWindow(display), &screen)) return;
  bool is_wide = lower(&hints.min_width, screen.width), is_high = lower(&hints.min_height, screen.height);
  if (is_wide || is_high) XSetWMNormalHints(display, window, &hints);
}

void min_size_watch(Display *display, Window window) {
  XSelectInput(display, window, PropertyChangeMask);
  limit(display, window);
}

bool min_size_event(const XEvent *event) {
  if (event->type != PropertyNotify || event->xproperty.atom != XA_WM_NORMAL_HINTS) return false;
  if (event->xproperty.state == PropertyNewValue) limit(event->xproperty.display, event->xproperty.window);
  return true;
}
