#pragma once
#include <X11/Xlib.h>
#include <stddef.h>
#include <stdint.h>

#include "desktop/pixel.h"

/** The X server's frame buffer, which has the size of the largest screen. */
struct frame_buffer {
  /** NULL: the server does not keep it in a shared segment, or the kernel refuses to attach it. */
  uint8_t *pixels;
  uint8_t *end;
  /** Bytes from one row to the next. */
  size_t stride;
};

/** Attaches the segment of the server's first screen, whose largest size is given. */
struct frame_buffer frame_buffer_attach(Display *display, int max_width, int max_height);

/** Returns the memory that a screen of this size does not cover: the server has written all of it. */
void frame_buffer_trim(const struct frame_buffer *buffer, int width, int height);
