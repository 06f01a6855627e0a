#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>

#include "capture/picture.h"
#include "desktop/screen.h"

struct capture;

/** NULL: out of memory. */
struct capture *capture_open(struct screen *screen);

/** Starts or stops tracking what is drawn; when it starts, everything counts as drawn. */
void capture_watch(struct capture *capture, bool on);

/** Applies a new size or sampling; marks everything as changed. False: out of memory. */
bool capture_configure(struct capture *capture, bool chroma444);

/** Handles an X event; true if it was about damage. */
bool capture_event(struct capture *capture, const XEvent *event);

/** Whether something was drawn since the last update, even if it looks the same as before. */
bool capture_dirty(const struct capture *capture);

/** Updates the picture, reading only what was drawn to. False: the server refused. */
bool capture_update(struct capture *capture);

/** The picture as of the last update, marked with what changed since the last settle. */
const struct picture *capture_picture(const struct capture *capture);

/** A rectangle of the screen itself: its first pixel (pixel.h), and bytes from one row to the next. */
struct area {
  struct box box;
  const uint8_t *pixels;
  size_t stride;
};

/** Where the picture changed since the last settle. `pixels` is NULL where the screen can only be copied. */
struct area capture_changes(const struct capture *capture);

/** Marks the picture as encoded. */
void capture_settle(struct capture *capture);

void capture_close(struct capture *capture);
