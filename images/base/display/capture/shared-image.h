#pragma once
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <stdbool.h>
#include <stdint.h>

/** Memory shared with the X server, into which parts of the screen are copied. */
struct shared_image {
  XShmSegmentInfo segment;
  bool attached;
};

/** Allocates `width` by `height` pixels of 32 bits. */
bool shared_image_create(Display *display, struct shared_image *image, int width, int height);

/** Copies a part of a window, with packed rows, waiting for the server. */
bool shared_image_get(Display *display, Window window, struct shared_image *image, int x, int y, int width, int height);

/** The pixels of the last copy: blue, green, red, unused. */
const uint8_t *shared_image_pixels(const struct shared_image *image);

void shared_image_destroy(Display *display, struct shared_image *image);
