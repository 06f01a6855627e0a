#include "desktop/cursor.h"

#include <X11/extensions/Xfixes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/from-helper.h"
#include "wire/out.h"

enum { SIDE_MAX = 512 };

static struct {
  Display *display;
  int event;
  bool changed;
} cursor;

void cursor_start(Display *display) {
  int error;
  cursor.display = display;
  cursor.changed = true;
  XFixesQueryExtension(display, &cursor.event, &error);
  XFixesSelectCursorInput(display, DefaultRootWindow(display), XFixesDisplayCursorNotifyMask);
}

bool cursor_event(const XEvent *event) {
  if (event->type != cursor.event + XFixesCursorNotify) return false;
  cursor.changed = true;
  return true;
}

static uint8_t straight(unsigned long colour, unsigned alpha) {
  unsigned value = ((unsigned)(colour & 0xff) * 255 + alpha / 2) / alpha;
  return (uint8_t)(value > 255 ? 255 : value);
}

/* Converts premultiplied ARGB in longs to RGBA. Returns whether any pixel is visible. */
static bool convert(const unsigned long *source, size_t pixels, uint8_t *target) {
  bool visible = false;
  for (size_t i = 0; i < pixels; i++, target += 4) {
    unsigned alpha = (unsigned)(source[i] >> 24 & 0xff);
    if (alpha == 0) {
      memset(target, 0, 4);
      continue;
    }
    visible = true;
    target[0] = straight(source[i] >> 16, alpha);
    target[1] = straight(source[i] >> 8, alpha);
    target[2] = straight(source[i], alpha);
    target[3] = (uint8_t)alpha;
  }
  return visible;
}

static void send(const XFixesCursorImage *image) {
  uint8_t head[CURSOR_BYTES];
  size_t pixels = (size_t)image->width * image->height;
  uint8_t *colours = malloc(pixels * 4 + 1);
  if (!colours) return;
  bool visible = convert(image->pixels, pixels, colours);
  struct cursor_message message = { 0 };
  if (visible) message = (struct cursor_message){ 1, image->xhot, image->yhot, image->width, image->height };
  put_cursor(head, message);
  out_send(head, sizeof head, colours, visible ? pixels * 4 : 0);
  free(colours);
}

void cursor_run(void) {
  if (!cursor.changed || out_pending()) return;
  cursor.changed = false;
  XFixesCursorImage *image = XFixesGetCursorImage(cursor.display);
  if (!image) return;
  if (image->width <= SIDE_MAX && image->height <= SIDE_MAX) send(image);
  XFree(image);
}
