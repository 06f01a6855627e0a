#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/** The mouse cursor's shape, sent when it changes. */

void cursor_start(Display *display);

/** Handles an X event; true if it was about the cursor's shape. */
bool cursor_event(const XEvent *event);

/** Sends the latest shape, once the previous one has been written. */
void cursor_run(void);
