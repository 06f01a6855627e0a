#pragma once
#include <stdbool.h>

/** A rectangle of pixels; `right` and `bottom` are outside. It is empty when left >= right or top >= bottom. */
struct box {
  int left, top, right, bottom;
};

enum { REGION_BOXES_MAX = 4 };

/** A few rectangles that together cover everything that was added, and little more. */
struct region {
  int count;
  struct box boxes[REGION_BOXES_MAX];
};

/** Adds a rectangle; an empty one changes nothing. */
void region_add(struct region *region, struct box box);
