#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * How many top-level windows are open, as the window manager says; sent when it changes. Also wakes the window
 * manager: openbox reads more events than it handles when many come at once, and sleeps on the rest until the next
 * event, a new window unmanaged and without focus meanwhile. And has the topmost window focused where the window
 * manager started after it, and the one that is pressed.
 */

void windows_start(Display *display);

/** Handles an X event; true if it was about windows. */
bool windows_event(const XEvent *event);

/**
 * Whether the window that has the focus is the one under the pointer, not a menu or another window above it, and no
 * modifier is held; if so, returns the pointer's position in pixels.
 */
bool windows_focused_at_pointer(int *x, int *y);

/** Whether the window that has the focus is the one at a position in pixels, not a menu or another window above it. */
bool windows_focused_at(int x, int y);

/**
 * A button goes down: the window under the pointer gets the focus. The window manager could do that only by stopping
 * each press until it has looked at it.
 */
void windows_pressed(void);

/** The keyboard was changed, which the X server also reports to the window manager, or a button is up again. */
void windows_changed(void);

/** The screen was resized: windows may be as small as it is now. */
void windows_resized(void);

/** When to wake the window manager, in microseconds; NEVER if nothing has changed. */
int64_t windows_deadline(void);

/** Wakes the window manager if it is due. */
void windows_run(void);
