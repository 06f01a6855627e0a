#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/** The pointer's shape, sent when it changes. */

void cursor_start(Display *display);

/** Looks at an X event; true where it was about the pointer's shape. */
bool cursor_event(const XEvent *event);

/** Sends the newest shape, once what was sent before is written. */
void cursor_run(void);
