#include "capture/capture.h"

#include <X11/extensions/XShm.h>
#include <X11/extensions/Xdamage.h>
#include <stdlib.h>

#include "capture/shared-image.h"

/* A program may draw all the time. */
enum { READINGS_MAX = 2 };

struct capture {
  struct screen *screen;
  /* A copy of the screen, where its frame buffer cannot be read. */
  struct shared_image image;
  Damage damage;
  int damage_event;
  struct region dirty;
  struct picture picture;
};

/* Pictures have an even size: one column or row more than screens of odd size. */
static struct box within(struct box box, const struct screen *screen) {
  if (box.right > screen->width) box.right = screen->width;
  if (box.bottom > screen->height) box.bottom = screen->height;
  return box;
}

/* A chroma sample covers two by two pixels, so boxes start at even coordinates; they end within the screen. */
static struct box align(struct box box, const struct screen *screen) {
  box.left = box.left < 0 ? 0 : box.left & ~1;
  box.top = box.top < 0 ? 0 : box.top & ~1;
  box.right = (box.right + 1) & ~1;
  box.bottom = (box.bottom + 1) & ~1;
  return within(box, screen);
}

struct capture *capture_open(struct screen *screen) {
  struct capture *capture = calloc(1, sizeof *capture);
  if (!capture) return NULL;
  int error;
  capture->screen = screen;
  XDamageQueryExtension(screen->display, &capture->damage_event, &error);
  return capture;
}

static bool is_copied(const struct capture *capture) {
  return !capture->screen->frame_buffer.pixels;
}

static void invalidate(struct capture *capture) {
  capture->dirty = (struct region){ 0 };
  region_add(&capture->dirty, (struct box){ 0, 0, capture->screen->width, capture->screen->height });
}

bool capture_configure(struct capture *capture, bool chroma444) {
  const struct screen *screen = capture->screen;
  picture_destroy(&capture->picture);
  if (!picture_create(&capture->picture, (screen->width + 1) & ~1, (screen->height + 1) & ~1, chroma444)) return false;
  shared_image_destroy(screen->display, &capture->image);
  if (is_copied(capture) && !shared_image_create(screen->display, &capture->image, screen->width, screen->height)) {
    return false;
  }
  invalidate(capture);
  return true;
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

/* Takes in what the server has reported, without waiting for it. */
static void catch_up(struct capture *capture) {
  XEvent event;
  while (XCheckIfEvent(capture->screen->display, &event, is_event_of, (XPointer)capture))
    capture_event(capture, &event);
}

void capture_watch(struct capture *capture, bool on) {
  const struct screen *screen = capture->screen;
  if (on == (capture->damage != None)) return;
  if (on) {
    capture->damage = XDamageCreate(screen->display, screen->root, XDamageReportRawRectangles);
    /* The server reports all of the screen at once. */
    XSync(screen->display, False);
    catch_up(capture);
    invalidate(capture);
  } else {
    XDamageDestroy(screen->display, capture->damage);
    capture->damage = None;
  }
}

static struct region aligned(const struct region *region, const struct screen *screen) {
  struct region result = { 0 };
  for (int i = 0; i < region->count; i++) region_add(&result, align(region->boxes[i], screen));
  return result;
}

static const uint8_t *pixels_at(const struct capture *capture, const struct box *box) {
  const struct frame_buffer *buffer = &capture->screen->frame_buffer;
  return buffer->pixels + (size_t)box->top * buffer->stride + (size_t)box->left * PIXEL_BYTES;
}

static bool read_box(struct capture *capture, const struct box *box) {
  const struct screen *screen = capture->screen;
  int width = box->right - box->left, height = box->bottom - box->top;
  if (!is_copied(capture)) {
    picture_update(&capture->picture, pixels_at(capture, box), capture->screen->frame_buffer.stride, box);
    return true;
  }
  if (!shared_image_get(screen->display, screen->root, &capture->image, box->left, box->top, width, height))
    return false;
  picture_update(&capture->picture, shared_image_pixels(&capture->image), (size_t)width * PIXEL_BYTES, box);
  return true;
}

/*
 * What is drawn while it is read is read again, so that few pictures show half-finished drawings, and none for long:
 * the server reports all that it draws, so the next picture is complete.
 */
bool capture_update(struct capture *capture) {
  for (int reading = 0; reading < READINGS_MAX && capture_dirty(capture); reading++) {
    struct region drawn = aligned(&capture->dirty, capture->screen);
    capture->dirty = (struct region){ 0 };
    for (int i = 0; i < drawn.count; i++) {
      if (read_box(capture, &drawn.boxes[i])) continue;
      capture->dirty = drawn;
      return false;
    }
    catch_up(capture);
  }
  return true;
}

const struct picture *capture_picture(const struct capture *capture) {
  return &capture->picture;
}

struct area capture_changes(const struct capture *capture) {
  struct box box = within(picture_changed_box(&capture->picture), capture->screen);
  size_t stride = capture->screen->frame_buffer.stride;
  return (struct area){ box, is_copied(capture) ? NULL : pixels_at(capture, &box), stride };
}

void capture_settle(struct capture *capture) {
  picture_settle(&capture->picture);
}

void capture_close(struct capture *capture) {
  if (!capture) return;
  capture_watch(capture, false);
  shared_image_destroy(capture->screen->display, &capture->image);
  picture_destroy(&capture->picture);
  free(capture);
}
