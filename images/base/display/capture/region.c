#include "capture/region.h"

#include <stdint.h>

/* Up to this many unchanged pixels are converted rather than spending another rectangle on leaving them out. */
enum { WASTE_MAX = 16384 };

static int64_t pixels(const struct box *box) {
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

/* How many more pixels two rectangles cover when joined. */
static int64_t waste(const struct box *a, const struct box *b) {
  struct box both = join(*a, *b);
  return pixels(&both) - pixels(a) - pixels(b);
}

/* Index of the rectangle that wastes the fewest pixels when joined; -1 if there is none. */
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
    if (region->count < REGION_BOXES_MAX && waste(&region->boxes[i], &box) > WASTE_MAX) break;
    box = join(region->boxes[i], box);
    region->boxes[i] = region->boxes[--region->count];
  }
  region->boxes[region->count++] = box;
}
