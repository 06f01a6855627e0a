#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/**
 * Lets windows be as small as the screen. Programs name a minimum size, Chromium one of 500 pixels of width, which the
 * window manager keeps even where the window fills the screen: on a narrower one, its right end is outside.
 */

/** Limits the minimum size of a top-level window to the screen, and watches the window for changes of it. */
void min_size_watch(Display *display, Window window);

/** Handles an X event; true if it was about a window's minimum size. */
bool min_size_event(const XEvent *event);
