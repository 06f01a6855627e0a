#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdint.h>

#include "screen.h"

/** A picture in planes. With `chroma444` all planes have the full size, else the second and third a quarter. */
struct planes {
  int width, height;
  bool chroma444;
  int strides[3];
  uint8_t *data[3];
};

struct capture;

/** Starts to watch the screen for changes. NULL where the server's shared memory cannot be had. */
struct capture *capture_open(struct screen *screen);

/** Takes a new size or sampling in force; everything counts as changed. False: out of memory. */
bool capture_configure(struct capture *capture, bool chroma444);

/** Counts everything as changed. */
void capture_invalidate(struct capture *capture);

/** Looks at an X event; true where it was about damage. */
bool capture_event(struct capture *capture, const XEvent *event);

/** Whether something changed since the last capture. */
bool capture_dirty(const struct capture *capture);

/** Brings the planes up to date, reading only what changed. False: the server refused. */
bool capture_update(struct capture *capture);

/** The picture as of the last update, of even size. */
const struct planes *capture_planes(const struct capture *capture);

void capture_close(struct capture *capture);
