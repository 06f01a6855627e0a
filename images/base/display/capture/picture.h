#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/region.h"

/** Side of a macroblock in pixels, and the flag of one that is the same as in the last encoded frame. */
enum { BLOCK_SIDE = 16, BLOCK_UNCHANGED = 1 };

/**
 * A planar picture of even size. With `chroma444` all planes have the full size, otherwise the second and third a
 * quarter. `blocks` has a flag for each macroblock, by rows.
 */
struct picture {
  int width, height;
  bool chroma444;
  int strides[3];
  uint8_t *data[3];
  int columns, rows;
  uint8_t *blocks;
  bool changed;
  uint8_t *band[3];
};

/** Allocates a black picture, all of it changed. False: no memory, or no size. */
bool picture_create(struct picture *picture, int width, int height, bool chroma444);

/**
 * Converts pixels (blue, green, red, unused; `stride` bytes from one row to the next) into a rectangle of the picture
 * that starts at even coordinates, and notes which macroblocks that changes.
 */
void picture_update(struct picture *picture, const uint8_t *pixels, size_t stride, const struct box *box);

/** Allocates a black picture of half the size of another, all of it changed. False: no memory, or no size. */
bool picture_create_half(struct picture *half, const struct picture *full);

/** Notes in a picture of half the size which macroblocks are outdated by what changed in the full one. */
void picture_mark_half(struct picture *half, const struct picture *full);

/** Scales the changed macroblocks of a picture of half the size anew. */
void picture_scale_half(struct picture *half, const struct picture *full);

/** The smallest rectangle of whole macroblocks that contains all changes, clipped to the picture. */
struct box picture_changed_box(const struct picture *picture);

/** Marks the picture as encoded: no macroblock counts as changed until it changes again. */
void picture_settle(struct picture *picture);

void picture_destroy(struct picture *picture);
