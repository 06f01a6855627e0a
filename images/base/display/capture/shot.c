#include "capture/shot.h"

#include <libyuv/convert_from_argb.h>
#include <libyuv/scale_argb.h>
#include <stdbool.h>
#include <stdlib.h>

#include "capture/shared-image.h"
#include "common/clock.h"
#include "common/log.h"
#include "wire/from-helper.h"
#include "wire/out.h"

enum { PIECE_BYTES = 64 << 10 };

static struct {
  struct screen *screen;
  struct shared_image image;
  /* The scaled picture, if scaling was necessary. */
  uint8_t *scaled;
  int width, height;
  /* The first row not sent yet; equal to the height when all were sent. */
  int next;
} shot;

void shot_start(struct screen *screen) {
  shot.screen = screen;
}

static void drop(void) {
  shared_image_destroy(shot.screen->display, &shot.image);
  free(shot.scaled);
  shot.scaled = NULL;
  shot.width = shot.height = shot.next = 0;
}

static bool capture(void) {
  const struct screen *screen = shot.screen;
  return shared_image_create(screen->display, &shot.image, screen->width, screen->height) &&
         shared_image_get(screen->display, screen->root, &shot.image, 0, 0, screen->width, screen->height);
}

static bool scale(void) {
  const struct screen *screen = shot.screen;
  shot.scaled = malloc((size_t)shot.width * (size_t)shot.height * 4);
  bool done =
      shot.scaled && ARGBScale(shared_image_pixels(&shot.image), screen->width * 4, screen->width, screen->height,
                               shot.scaled, shot.width * 4, shot.width, shot.height, kFilterBox) == 0;
  shared_image_destroy(screen->display, &shot.image);
  return done;
}

/* The height that preserves the aspect ratio, rounded. */
static int height_for(int width) {
  const struct screen *screen = shot.screen;
  int height = (width * screen->height + screen->width / 2) / screen->width;
  return height > 0 ? height : 1;
}

static void send_rows(const uint8_t *rows, size_t size) {
  uint8_t head[SHOT_BYTES];
  put_shot(head, (struct shot_message){ (uint16_t)shot.width, (uint16_t)shot.height, (uint16_t)shot.next });
  out_send(head, sizeof head, rows, size);
}

void shot_take(int width) {
  drop();
  bool taken = capture();
  if (taken) {
    bool whole = width == 0 || width >= shot.screen->width;
    shot.width = whole ? shot.screen->width : width;
    shot.height = whole ? shot.screen->height : height_for(width);
    taken = shot.width * 3 <= PIECE_BYTES && (whole || scale());
  }
  if (taken) return;
  log_line("no picture of the screen");
  drop();
  send_rows(NULL, 0);
}

int64_t shot_deadline(void) {
  return shot.next < shot.height && !out_pending() ? 0 : NEVER;
}

void shot_run(void) {
  static uint8_t piece[PIECE_BYTES];
  if (shot_deadline() == NEVER) return;
  int rows = PIECE_BYTES / (shot.width * 3);
  if (rows > shot.height - shot.next) rows = shot.height - shot.next;
  const uint8_t *pixels = shot.scaled ? shot.scaled : shared_image_pixels(&shot.image);
  ARGBToRAW(pixels + (size_t)shot.next * (size_t)shot.width * 4, shot.width * 4, piece, shot.width * 3, shot.width,
            rows);
  send_rows(piece, (size_t)(rows * shot.width * 3));
  shot.next += rows;
  if (shot.next == shot.height) drop();
}

void shot_stop(void) {
  drop();
}
