#pragma once
#include "screen.h"

/**
 * Returns the memory of the X server's frame buffer that the screen does not cover. The buffer has the size of the
 * largest screen, and the server has written all of it. Does nothing if the server keeps it elsewhere than in a shared
 * segment, or the kernel refuses.
 */
void frame_buffer_trim(const struct screen *screen);
