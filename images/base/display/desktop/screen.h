#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

#include "desktop/frame-buffer.h"

/** The X display and the size of its visible screen. */
struct screen {
  Display *display;
  Window root;
  int width, height;
  int max_width, max_height;
  /* The current mode, if the helper created it. */
  XID mode;
  struct frame_buffer frame_buffer;
};

/** Connects to $DISPLAY and checks its extensions. False, with a log line, if something is missing. */
bool screen_open(struct screen *screen);

/** Resizes the screen with RandR, clamped to the server's limits. True if the size changed. */
bool screen_resize(struct screen *screen, int width, int height);
