#pragma once
#include "desktop/screen.h"

/**
 * The pointer of a new X server rests outside of the visible screen until somebody moves it. Programs go by its
 * coordinates alone: a page that Chromium opens under it is told of a move that nobody made.
 */

/** Puts the pointer there, unless the screen has been resized before: then somebody may have moved it. */
void resting_pointer_start(const struct screen *screen);

/** Puts a resting pointer onto the visible screen. */
void resting_pointer_wake(int x, int y);
