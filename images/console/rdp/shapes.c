/* Triangles and rectangles, line by line. A triangle has one edge from its top to its bottom, the major one, and two
 * on the other side that meet in the middle. */
#include <string.h>
#include "rdp.h"

enum { TRIANGLE_Z = 1, TRIANGLE_TEXTURE = 2, TRIANGLE_SHADE = 4 };
enum { TEXTURE_RECTANGLE_FLIP = 0x25, FILL_RECTANGLE = 0x36 };

struct shape {
  /* Top, middle and bottom, in quarters of a line. */
  int top, middle, bottom;
  /* 16.16 at the top line's beginning, of the lower minor edge at the middle; and how they change from line to line. */
  int32_t major, upper, lower, major_step, upper_step, lower_step;
  bool is_major_left;
};

static int at_least(int value, int low) { return value < low ? low : value; }

static int at_most(int value, int high) { return value > high ? high : value; }

/* Quarters of a pixel, rounded up. */
static int quarters(int64_t x) { return (int)((x + 0x3fff) >> 14); }

static bool is_simple(const struct rdp *rdp) {
  return rdp->modes.cycle == CYCLE_FILL || rdp->modes.cycle == CYCLE_COPY;
}

/* Where a quarter of a line begins and ends, between the scissors; false where nothing is left of it. */
static bool cut(const struct rdp *rdp, struct span *span, int quarter, int64_t left, int64_t right) {
  int y = span->y * 4 + quarter;
  if (y < rdp->top || y >= rdp->bottom) return false;
  int first = at_least((int)(left >> 16), rdp->left >> 2), last = at_most((int)(right >> 16), (rdp->right - 1) >> 2);
  span->left[quarter] = at_least(quarters(left), rdp->left);
  span->right[quarter] = at_most(quarters(right), rdp->right);
  bool is_there = is_simple(rdp) ? first <= last : span->left[quarter] < span->right[quarter];
  if (!is_there) return false;
  span->first = at_most(span->first, first);
  span->last = at_least(span->last, last);
  return true;
}

static void begin_attributes(const struct shape *shape, const struct gradients *gradients, struct span *span,
                             int64_t major) {
  int lines = span->y - (shape->top >> 2);
  int fraction = (int)(major >> 8 & 0xff);
  span->origin = (int)(major >> 16);
  /* Of steep edges the attributes are those at the line's beginning, of others at its last quarter. */
  bool is_late = (shape->major_step < 0) == shape->is_major_left;
  for (int i = 0; i < ATTRIBUTES; i++) {
    int64_t value = gradients->start[i] + (int64_t)gradients->de[i] * lines;
    if (is_late) value += ((int64_t)gradients->de[i] * 3 >> 2) - ((int64_t)gradients->dy[i] * 3 >> 2);
    span->value[i] = (int32_t)(value - ((int64_t)gradients->dx[i] * fraction >> 8));
  }
}

static void draw(struct rdp *rdp, const struct shape *shape, const struct primitive *primitive) {
  int first_line = at_least(shape->top >> 2, rdp->top >> 2);
  int last_line = at_most((shape->bottom - 1) >> 2, (rdp->bottom - 1) >> 2);
  int base = shape->top & ~3;
  for (int y = first_line; y <= last_line; y++) {
    struct span span = { .y = y, .first = INT32_MAX, .last = -1 };
    bool is_late = (shape->major_step < 0) == shape->is_major_left;
    int64_t origin = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
      int at = y * 4 + quarter;
      int64_t major = shape->major + (int64_t)(shape->major_step >> 2) * (at - base);
      int64_t minor = at < shape->middle ? shape->upper + (int64_t)(shape->upper_step >> 2) * (at - base)
                                         : shape->lower + (int64_t)(shape->lower_step >> 2) * (at - shape->middle);
      if (quarter == (is_late ? 3 : 0)) origin = major;
      if (at < shape->top || at >= shape->bottom) continue;
      bool is_left = shape->is_major_left;
      span.is_there[quarter] = cut(rdp, &span, quarter, is_left ? major : minor, is_left ? minor : major);
    }
    if (span.last < span.first) continue;
    begin_attributes(shape, primitive->gradients, &span, origin);
    span_draw(rdp, primitive, &span);
  }
}

static int32_t sign_extended(uint32_t word) { return (int32_t)(word << 18) >> 18; }

/* Whole numbers and fractions of four attributes, in two groups of words. */
static void four(int32_t *into, const uint32_t *whole, const uint32_t *fraction) {
  for (int i = 0; i < 2; i++) {
    into[i * 2] = (int32_t)((whole[i] & 0xffff0000) | fraction[i] >> 16);
    into[i * 2 + 1] = (int32_t)(whole[i] << 16 | (fraction[i] & 0xffff));
  }
}

static void read_four(struct gradients *gradients, int first, const uint32_t *words) {
  int32_t start[4], dx[4], de[4], dy[4];
  four(start, words, words + 4);
  four(dx, words + 2, words + 6);
  four(de, words + 8, words + 12);
  four(dy, words + 10, words + 14);
  int count = first == S ? 3 : 4;
  memcpy(gradients->start + first, start, (size_t)count * sizeof *start);
  memcpy(gradients->dx + first, dx, (size_t)count * sizeof *dx);
  memcpy(gradients->de + first, de, (size_t)count * sizeof *de);
  memcpy(gradients->dy + first, dy, (size_t)count * sizeof *dy);
}

void shape_triangle(struct rdp *rdp, unsigned command, const uint32_t *words) {
  struct gradients gradients = { 0 };
  unsigned tile = words[0] >> 16 & 7;
  struct shape shape = {
    .top = sign_extended(words[1]),
    .middle = sign_extended(words[1] >> 16),
    .bottom = sign_extended(words[0]),
    .lower = (int32_t)words[2],
    .lower_step = (int32_t)words[3],
    .major = (int32_t)words[4],
    .major_step = (int32_t)words[5],
    .upper = (int32_t)words[6],
    .upper_step = (int32_t)words[7],
    .is_major_left = words[0] >> 23 & 1,
  };
  struct primitive primitive = {
    .gradients = &gradients,
    .tiles = { &rdp->tiles[tile], &rdp->tiles[(tile + 1) % TILES] },
    .has_shade = command & TRIANGLE_SHADE,
    .has_texture = command & TRIANGLE_TEXTURE,
    .has_z = command & TRIANGLE_Z,
  };
  words += 8;
  if (primitive.has_shade) {
    read_four(&gradients, RED, words);
    words += 16;
  }
  if (primitive.has_texture) {
    read_four(&gradients, S, words);
    words += 16;
  }
  if (primitive.has_z) {
    gradients.start[Z] = (int32_t)words[0];
    gradients.dx[Z] = (int32_t)words[1];
    gradients.de[Z] = (int32_t)words[2];
    gradients.dy[Z] = (int32_t)words[3];
  }
  draw(rdp, &shape, &primitive);
}

void shape_rectangle(struct rdp *rdp, unsigned command, const uint32_t *words) {
  struct gradients gradients = { 0 };
  int right = words[0] >> 12 & 0xfff, bottom = words[0] & 0xfff, left = words[1] >> 12 & 0xfff, top = words[1] & 0xfff;
  if (is_simple(rdp)) bottom |= 3;
  unsigned tile = words[1] >> 24 & 7;
  struct primitive primitive = {
    .gradients = &gradients,
    .tiles = { &rdp->tiles[tile], &rdp->tiles[(tile + 1) % TILES] },
    .has_texture = command != FILL_RECTANGLE,
    .is_flipped = command == TEXTURE_RECTANGLE_FLIP,
  };
  if (primitive.has_texture) {
    gradients.start[S] = (int32_t)(words[2] & 0xffff0000);
    gradients.start[T] = (int32_t)(words[2] << 16);
    int32_t along_s = (int32_t)(words[3] & 0xffff0000) >> 5, along_t = (int32_t)(words[3] << 16) >> 5;
    gradients.dx[primitive.is_flipped ? T : S] = primitive.is_flipped ? along_t : along_s;
    gradients.de[primitive.is_flipped ? S : T] = primitive.is_flipped ? along_s : along_t;
    gradients.dy[primitive.is_flipped ? S : T] = gradients.de[primitive.is_flipped ? S : T];
  }
  struct shape shape = {
    .top = top,
    .middle = bottom + 4,
    .bottom = is_simple(rdp) ? bottom + 1 : bottom,
    .major = left << 14,
    .upper = right << 14,
    .is_major_left = true,
  };
  draw(rdp, &shape, &primitive);
}
