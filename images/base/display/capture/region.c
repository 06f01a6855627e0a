#include "capture/region.h"

#include <stdint.h>

/* Pixels that are rather converted in vain than kept out by one more rectangle. */
enum { VAIN_PIXELS = 16384 };

static int64_t area(const struct box *box) {
  return (int64_t)(box->right - box->left) * (box->bottom - box->top);
}

static struct box join(struct box a, struct box b) {
  return (struct box){
    .left = a.left < b.left ? a.left : b.left,
    .top = a.top < b.top ? a.top : b.top,
    .right = a.right > b.right ? a.right : b.right,
    .bottom = a.bottom > b.bottom ? a.bottom : b.bottom,
  };
}

/* Pixels that two rectangles would cover joined, and do not alone. */
static int64_t waste(const struct box *a, const struct box *b) {
  struct box both = join(*a, *b);
  return area(&both) - area(a) - area(b);
}

/* The rectangle that is joined at the least cost; -1 if there is none. */
static int nearest(const struct region *region, const struct box *box) {
  int found = -1;
  for (int i = 0; i < region->count; i++) {
    if (found < 0 || waste(&region->boxes[i], box) < waste(&region->boxes[found], box)) found = i;
  }
  return found;
}

void region_add(struct region *region, struct box box) {
  if (box.left >= box.right || box.top >= box.bottom) return;
  for (int i; (i = nearest(region, &box)) >= 0;) {
    if (region->count < REGION_BOXES_MAX && waste(&region->boxes[i], &box) > VAIN_PIXELS) break;
    box = join(region->boxes[i], box);
    region->boxes[i] = region->boxes[--region->count];
  }
  region->boxes[region->count++] = box;
}
