#include "capture.h"

#include <X11/extensions/XShm.h>
#include <X11/extensions/Xdamage.h>
#include <libyuv/convert_from_argb.h>
#include <stdlib.h>
#include <string.h>

#include "shared-image.h"

/* Half-open; empty when left >= right. */
struct box {
  int left, top, right, bottom;
};

struct capture {
  struct screen *screen;
  struct shared_image image;
  Damage damage;
  int damage_event;
  struct box dirty;
  struct planes planes;
};

static bool is_empty(const struct box *box) {
  return box->left >= box->right || box->top >= box->bottom;
}

static struct box join(struct box a, struct box b) {
  if (is_empty(&a)) return b;
  if (is_empty(&b)) return a;
  return (struct box){
    .left = a.left < b.left ? a.left : b.left,
    .top = a.top < b.top ? a.top : b.top,
    .right = a.right > b.right ? a.right : b.right,
    .bottom = a.bottom > b.bottom ? a.bottom : b.bottom,
  };
}

static bool contains(const struct box *outer, const struct box *inner) {
  return inner->left >= outer->left && inner->top >= outer->top && inner->right <= outer->right &&
         inner->bottom <= outer->bottom;
}

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
  capture->damage = XDamageCreate(screen->display, screen->root, XDamageReportBoundingBox);
  return capture;
}

static void free_planes(struct planes *planes) {
  free(planes->data[0]);
  memset(planes, 0, sizeof *planes);
}

static bool make_planes(struct planes *planes, int width, int height, bool chroma444) {
  enum { ALIGNMENT = 64 };
  int luma = (width + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  int chroma = chroma444 ? luma : luma / 2;
  size_t chroma_size = (size_t)chroma * (size_t)(chroma444 ? height : height / 2);
  size_t luma_size = (size_t)luma * (size_t)height;
  uint8_t *memory = aligned_alloc(ALIGNMENT, (luma_size + 2 * chroma_size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1));
  if (!memory) return false;
  *planes = (struct planes){
    .width = width,
    .height = height,
    .chroma444 = chroma444,
    .strides = { luma, chroma, chroma },
    .data = { memory, memory + luma_size, memory + luma_size + chroma_size },
  };
  memset(memory, 16, luma_size);
  memset(memory + luma_size, 128, 2 * chroma_size);
  return true;
}

bool capture_configure(struct capture *capture, bool chroma444) {
  const struct screen *screen = capture->screen;
  free_planes(&capture->planes);
  if (!make_planes(&capture->planes, (screen->width + 1) & ~1, (screen->height + 1) & ~1, chroma444)) return false;
  shared_image_destroy(screen->display, &capture->image);
  if (!shared_image_create(screen->display, &capture->image, screen->width, screen->height)) return false;
  capture_invalidate(capture);
  return true;
}

void capture_invalidate(struct capture *capture) {
  capture->dirty = (struct box){ 0, 0, capture->screen->width, capture->screen->height };
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
  capture->dirty = join(capture->dirty, damaged_box(event));
  return true;
}

bool capture_dirty(const struct capture *capture) {
  return !is_empty(&capture->dirty);
}

static uint8_t *sample(struct planes *planes, int plane, int x, int y) {
  int shift = plane > 0 && !planes->chroma444 ? 1 : 0;
  return planes->data[plane] + (ptrdiff_t)(y >> shift) * planes->strides[plane] + (x >> shift);
}

static void convert(struct capture *capture, const struct box *box) {
  struct planes *planes = &capture->planes;
  const int *strides = planes->strides;
  const uint8_t *source = shared_image_pixels(&capture->image);
  int width = box->right - box->left, height = box->bottom - box->top;
  uint8_t *luma = sample(planes, 0, box->left, box->top);
  uint8_t *first = sample(planes, 1, box->left, box->top);
  uint8_t *second = sample(planes, 2, box->left, box->top);
  if (planes->chroma444) {
    ARGBToI444(source, width * 4, luma, strides[0], first, strides[1], second, strides[2], width, height);
  } else {
    ARGBToI420(source, width * 4, luma, strides[0], first, strides[1], second, strides[2], width, height);
  }
}

static Bool is_event_of(Display *display, XEvent *event, XPointer capture) {
  (void)display;
  return is_own((const struct capture *)(const void *)capture, event);
}

/* Damage reported before the server reset it is already in the captured picture if it lies within the box. */
static void drop_captured(struct capture *capture, unsigned long forgotten, const struct box *box) {
  XEvent event;
  while (XCheckIfEvent(capture->screen->display, &event, is_event_of, (XPointer)capture)) {
    struct box damaged = damaged_box(&event);
    if (event.xany.serial <= forgotten && contains(box, &damaged)) continue;
    capture->dirty = join(capture->dirty, damaged);
  }
}

bool capture_update(struct capture *capture) {
  Display *display = capture->screen->display;
  struct box box = align(capture->dirty, capture->screen);
  capture->dirty = (struct box){ 0 };
  if (is_empty(&box)) return true;
  unsigned long forgotten = NextRequest(display);
  XDamageSubtract(display, capture->damage, None, None);
  if (!shared_image_get(display, capture->screen->root, &capture->image, box.left, box.top, box.right - box.left,
                        box.bottom - box.top)) {
    capture->dirty = box;
    return false;
  }
  convert(capture, &box);
  drop_captured(capture, forgotten, &box);
  return true;
}

const struct planes *capture_planes(const struct capture *capture) {
  return &capture->planes;
}

void capture_close(struct capture *capture) {
  if (!capture) return;
  Display *display = capture->screen->display;
  XDamageDestroy(display, capture->damage);
  shared_image_destroy(display, &capture->image);
  free_planes(&capture->planes);
  free(capture);
}
