#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/** What the window manager says of the windows that it manages, and what it is asked for (EWMH). */

/** What kind of window it is, as in `window` messages. */
enum window_kind { WINDOW_BROWSER, WINDOW_POPUP, WINDOW_DIALOG, WINDOW_OTHER };

/** A rectangle in pixels of the screen. */
struct bounds {
  int x, y, width, height;
};

/** A managed window. */
struct managed_window {
  enum window_kind kind;
  /** With its frame, which is this much larger at each edge. */
  struct bounds outer;
  int left, right, top, bottom;
  /** Whether it has a place of its own: it is neither maximized nor fullscreen nor minimized. */
  bool is_free;
};

void manager_start(Display *display);

/** The managed windows, and how many they are; to be freed by XFree. */
Window *manager_windows(unsigned long *count);

/** The topmost of them, and the one that has the focus; None if there is none. */
Window manager_topmost(void);
Window manager_active(void);

/** The window's outermost parent, which is on the root window; None if it is gone. */
Window manager_frame_of(Window window);

/** Reads what is known of a window; false if it is gone. */
bool manager_read(Window window, struct managed_window *read);

/** Reads the title in UTF-8, without a zero at its end; returns its size, at most `size` bytes. */
size_t manager_title(Window window, char *title, size_t size);

/** Raises a window and gives it the focus; restores it if it is minimized. */
void manager_activate(Window window);

/** Asks a window to close, as its close button does. */
void manager_close(Window window);

/** Gives a window, with its frame, another place and size. One that fills the screen does not any more. */
void manager_place(Window window, struct bounds outer);

/** Whether this property of a window is part of what is read here. */
bool manager_knows(Atom property);
