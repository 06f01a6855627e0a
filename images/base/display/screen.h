#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

/** The X display and the size of its one screen. */
struct screen {
  Display *display;
  Window root;
  int width, height;
  int max_width, max_height;
  /* The mode in force, if the helper made it. */
  XID mode;
};

/** Connects to $DISPLAY and checks its extensions. False, with a line in the log, where something is missing. */
bool screen_open(struct screen *screen);

/** Resizes the screen by RandR, clamped to what the server can. True where the size changed. */
bool screen_resize(struct screen *screen, int width, int height);
