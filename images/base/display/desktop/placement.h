#pragma once
#include <X11/Xlib.h>

/**
 * Keeps windows that do not fill the screen within it, with their frames: what a page asks for, what a smaller screen
 * has left outside, and where somebody has dragged them to, once the button is up.
 */

void placement_start(Display *display);

/** Moves and shrinks what is not within the screen; not while a button is held, which may drag a window. */
void placement_run(void);
