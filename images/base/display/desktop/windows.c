#include "desktop/windows.h"

#include <X11/Xatom.h>
#include <stdint.h>

#include "common/clock.h"
#include "desktop/manager.h"
#include "desktop/min-size.h"
#include "desktop/placement.h"
#include "desktop/window-list.h"
#include "wire/from-helper.h"
#include "wire/out.h"

/* After a change, the window manager is woken for as long as it may still be processing it. */
static const int64_t wake_delays[] = { 30000, 120000, 500000 };
enum { WAKES = sizeof wake_delays / sizeof *wake_delays };

static struct {
  Display *display;
  Atom list, stack, active, manager, wake;
  unsigned long count;
  /* Whether no window has been focused since the window manager or this program started. */
  bool unfocused;
  int64_t changed_at;
  int wakes;
} windows = { .unfocused = true, .wakes = WAKES };

/* How many windows there are; none of them is to be larger than the screen. */
static unsigned long look_at_windows(void) {
  unsigned long count;
  Window *all = manager_windows(&count);
  for (unsigned long i = 0; i < count; i++) min_size_watch(windows.display, all[i]);
  if (all) XFree(all);
  window_list_changed();
  return count;
}

static void send(void) {
  uint8_t head[WINDOWS_BYTES];
  put_windows(head, (struct windows_message){ (uint16_t)windows.count });
  out_send(head, sizeof head, NULL, 0);
}

void windows_start(Display *display) {
  manager_start(display);
  placement_start(display);
  windows.display = display;
  windows.list = XInternAtom(display, "_NET_CLIENT_LIST", False);
  windows.stack = XInternAtom(display, "_NET_CLIENT_LIST_STACKING", False);
  windows.active = XInternAtom(display, "_NET_ACTIVE_WINDOW", False);
  windows.manager = XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", False);
  windows.wake = XInternAtom(display, "_BERTH_WAKE", False);
  XSelectInput(display, DefaultRootWindow(display), PropertyChangeMask | SubstructureNotifyMask);
  windows.count = look_at_windows();
  send();
}

static void recount(void) {
  unsigned long count = look_at_windows();
  if (count == windows.count) return;
  windows.count = count;
  send();
}

/* A window manager that starts while the screen is resized may have read the old size and missed the event. */
static void tell_size(void) {
  Window root = DefaultRootWindow(windows.display);
  XWindowAttributes size;
  if (!XGetWindowAttributes(windows.display, root, &size)) return;
  XEvent event = {
    .xconfigure = { .type = ConfigureNotify,
                    .event = root,
                    .window = root,
                    .width = size.width,
                    .height = size.height },
  };
  XSendEvent(windows.display, root, False, StructureNotifyMask, &event);
  windows_changed();
}

/* A window manager focuses none of the windows that were there before it, and takes the focus from them. */
static void focus_topmost(void) {
  if (!windows.unfocused) return;
  windows.unfocused = manager_active() == None;
  if (!windows.unfocused) return;
  Window window = manager_topmost();
  if (window != None) manager_activate(window);
}

bool windows_event(const XEvent *event) {
  Window root = DefaultRootWindow(windows.display);
  if (min_size_event(event)) return true;
  if (event->type == PropertyNotify && event->xproperty.window == root) {
    if (event->xproperty.atom == windows.active) window_list_changed();
    if (event->xproperty.atom == windows.list) recount();
    if (event->xproperty.atom == windows.stack) focus_topmost();
    if (event->xproperty.atom == windows.manager) {
      windows.unfocused = true;
      tell_size();
    }
    return true;
  }
  if (event->type == PropertyNotify && manager_knows(event->xproperty.atom)) {
    window_list_changed();
    return true;
  }
  if (event->type < CreateNotify || event->type > CirculateNotify || event->xany.window != root) return false;
  windows_changed();
  return true;
}

/* Whether the window that has the focus is a top-level window, or in it. */
static bool is_in_focus(Window top) {
  return top != None && top == manager_frame_of(manager_active());
}

bool windows_focused_at_pointer(int *x, int *y) {
  enum { MODIFIERS = ShiftMask | ControlMask | Mod1Mask | Mod4Mask };
  Window root, top;
  int inside_x, inside_y;
  unsigned state;
  if (!XQueryPointer(windows.display, DefaultRootWindow(windows.display), &root, &top, x, y, &inside_x, &inside_y,
                     &state))
    return false;
  if (state & MODIFIERS) return false;
  return is_in_focus(top);
}

bool windows_focused_at(int x, int y) {
  Window root = DefaultRootWindow(windows.display), top;
  int same_x, same_y;
  return XTranslateCoordinates(windows.display, root, root, x, y, &same_x, &same_y, &top) && is_in_focus(top);
}

void windows_pressed(void) {
  if (windows.count < 2) return;
  Window root, top;
  int x, y, inside_x, inside_y;
  unsigned state;
  if (!XQueryPointer(windows.display, DefaultRootWindow(windows.display), &root, &top, &x, &y, &inside_x, &inside_y,
                     &state))
    return;
  if (top == None || is_in_focus(top)) return;
  unsigned long count;
  Window *all = manager_windows(&count);
  for (unsigned long i = 0; i < count; i++) {
    if (manager_frame_of(all[i]) == top) manager_activate(all[i]);
  }
  if (all) XFree(all);
}

void windows_changed(void) {
  window_list_changed();
  windows.changed_at = now_us();
  windows.wakes = 0;
}

void windows_resized(void) {
  look_at_windows();
  windows_changed();
}

int64_t windows_deadline(void) {
  return windows.wakes < WAKES ? windows.changed_at + wake_delays[windows.wakes] : NEVER;
}

void windows_run(void) {
  if (now_us() < windows_deadline()) return;
  windows.wakes++;
  focus_topmost();
  placement_run();
  unsigned char value = (unsigned char)windows.wakes;
  XChangeProperty(windows.display, DefaultRootWindow(windows.display), windows.wake, XA_CARDINAL, 8, PropModeReplace,
                  &value, 1);
  XFlush(windows.display);
}
