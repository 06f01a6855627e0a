#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/** How many top-level windows are open, as the window manager says; sent when it changes. */

void windows_start(Display *display);

/** Looks at an X event; true where it was about the list of windows. */
bool windows_event(const XEvent *event);
