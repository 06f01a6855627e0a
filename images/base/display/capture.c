#include "capture.h"

#include <X11/extensions/XShm.h>
#include <X11/extensions/Xdamage.h>
#include <stdlib.h>

#include "shared-image.h"

struct capture {
  struct screen *screen;
  struct shared_image image;
  Damage damage;
  int damage_event;
  struct region dirty;
  struct picture picture;
};

/* A chroma sample covers two by two pixels, so boxes start at even coordinates; they end within the screen. */
static struct box align(struct box box, const struct screen *screen) {
  box.left = box.left < 0 ? 0 : box.left & ~1;
  box.top = box.top < 0 ? 0 : box.top & ~1;
  box.right = (box.right + 1) & ~1;
  box.bottom = (box.bottom + 1) & ~1;
  if (box.right > screen->width) box.right = screen->width;
  if (box.bottom > screen->height) box.bottom = screen->height;
  return box;
}

struct capture *capture_open(struct screen *screen) {
  struct capture *capture = calloc(1, sizeof *capture);
  if (!capture) return NULL;
  int error;
  capture->screen = screen;
  XDamageQueryExtension(screen->display, &capture->damage_event, &error);
  capture->damage = XDamageCreate(screen->display, screen->root, XDamageReportDeltaRectangles);
  return capture;
}

bool capture_configure(struct capture *capture, bool chroma444) {
  const struct screen *screen = capture->screen;
  picture_destroy(&capture->picture);
  if (!picture_create(&capture->picture, (screen->width + 1) & ~1, (screen->height + 1) & ~1, chroma444)) return false;
  shared_image_destroy(screen->display, &capture->image);
  if (!shared_image_create(screen->display, &capture->image, screen->width, screen->height)) return false;
  capture_invalidate(capture);
  return true;
}

void capture_invalidate(struct capture *capture) {
  capture->dirty = (struct region){ 0 };
  region_add(&capture->dirty, (struct box){ 0, 0, capture->screen->width, capture->screen->height });
}

static struct box damaged_box(const XEvent *event) {
  const XRectangle *area = &((const XDamageNotifyEvent *)event)->area;
  return (struct box){ area->x, area->y, area->x + area->width, area->y + area->height };
}

static bool is_own(const struct capture *capture, const XEvent *event) {
  return event->type == capture->damage_event + XDamageNotify &&
         ((const XDamageNotifyEvent *)event)->damage == capture->damage;
}

bool capture_event(struct capture *capture, const XEvent *event) {
  if (!is_own(capture, event)) return false;
  region_add(&capture->dirty, damaged_box(event));
  return true;
}

bool capture_dirty(const struct capture *capture) {
  return capture->dirty.count > 0;
}

static Bool is_event_of(Display *display, XEvent *event, XPointer capture) {
  (void)display;
  return is_own((const struct capture *)(const void *)capture, event);
}

/* Damage reported before the server reset it is already in the captured picture if it lies within its parts. */
static void drop_captured(struct capture *capture, unsigned long forgotten, const struct region *captured) {
  XEvent event;
  while (XCheckIfEvent(capture->screen->display, &event, is_event_of, (XPointer)capture)) {
    struct box damaged = damaged_box(&event);
    if (event.xany.serial < forgotten && region_contains(captured, &damaged)) continue;
    region_add(&capture->dirty, damaged);
  }
}

static struct region aligned(const struct region *region, const struct screen *screen) {
  struct region result = { 0 };
  for (int i = 0; i < region->count; i++) region_add(&result, align(region->boxes[i], screen));
  return result;
}

bool capture_update(struct capture *capture) {
  Display *display = capture->screen->display;
  struct region drawn = aligned(&capture->dirty, capture->screen);
  capture->dirty = (struct region){ 0 };
  if (drawn.count == 0) return true;
  unsigned long forgotten = NextRequest(display);
  XDamageSubtract(display, capture->damage, None, None);
  for (int i = 0; i < drawn.count; i++) {
    const struct box *box = &drawn.boxes[i];
    if (!shared_image_get(display, capture->screen->root, &capture->image, box->left, box->top,
                          box->right - box->left, box->bottom - box->top)) {
      capture->dirty = drawn;
      return false;
    }
    picture_update(&capture->picture, shared_image_pixels(&capture->image), box);
  }
  drop_captured(capture, forgotten, &drawn);
  return true;
}

const struct picture *capture_picture(const struct capture *capture) {
  return &capture->picture;
}

void capture_settle(struct capture *capture) {
  picture_settle(&capture->picture);
}

void capture_close(struct capture *capture) {
  if (!capture) return;
  Display *display = capture->screen->display;
  XDamageDestroy(display, capture->damage);
  shared_image_destroy(display, &capture->image);
  picture_destroy(&capture->picture);
  free(capture);
}
