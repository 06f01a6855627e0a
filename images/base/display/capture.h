#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "screen.h"

/** A planar picture. With `chroma444` all planes have the full size, otherwise the second and third a quarter. */
struct planes {
  int width, height;
  bool chroma444;
  int strides[3];
  uint8_t *data[3];
};

struct capture;

/** Starts tracking changes of the screen. NULL if the server's shared memory is unavailable. */
struct capture *capture_open(struct screen *screen);

/** Applies a new size or sampling; marks everything as changed. False: out of memory. */
bool capture_configure(struct capture *capture, bool chroma444);

/** Marks everything as changed. */
void capture_invalidate(struct capture *capture);

/** Handles an X event; true if it was about damage. */
bool capture_event(struct capture *capture, const XEvent *event);

/** Whether something changed since the last capture. */
bool capture_dirty(const struct capture *capture);

/** Updates the planes, reading only what changed. False: the server refused. */
bool capture_update(struct capture *capture);

/** The picture as of the last update, of even size. */
const struct planes *capture_planes(const struct capture *capture);

void capture_close(struct capture *capture);
