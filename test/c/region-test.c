#include "capture/region.h"

#include "expect.h"
#include "fakes.h"

static int64_t area(const struct region *region) {
  int64_t sum = 0;
  for (int i = 0; i < region->count; i++) {
    const struct box *box = &region->boxes[i];
    sum += (int64_t)(box->right - box->left) * (box->bottom - box->top);
  }
  return sum;
}

static bool contains(const struct region *region, const struct box *box) {
  for (int i = 0; i < region->count; i++) {
    const struct box *outer = &region->boxes[i];
    if (box->left >= outer->left && box->top >= outer->top && box->right <= outer->right &&
        box->bottom <= outer->bottom) {
      return true;
    }
  }
  return false;
}

TEST(an_empty_rectangle_changes_nothing) {
  struct region region = { 0 };
  region_add(&region, (struct box){ 10, 10, 10, 20 });
  region_add(&region, (struct box){ 10, 20, 20, 10 });
  EXPECT_EQUAL(region.count, 0);
}

TEST(neighbours_are_joined) {
  struct region region = { 0 };
  region_add(&region, (struct box){ 0, 0, 100, 20 });
  region_add(&region, (struct box){ 0, 20, 100, 40 });
  region_add(&region, (struct box){ 50, 10, 90, 30 });
  EXPECT_EQUAL(region.count, 1);
  EXPECT(contains(&region, &(struct box){ 0, 0, 100, 40 }));
  EXPECT_EQUAL(area(&region), 100 * 40);
}

TEST(changes_far_from_each_other_stay_apart) {
  struct region region = { 0 };
  region_add(&region, (struct box){ 0, 0, 16, 16 });
  region_add(&region, (struct box){ 1900, 1000, 1916, 1016 });
  EXPECT_EQUAL(region.count, 2);
  EXPECT_EQUAL(area(&region), 2 * 16 * 16);
  EXPECT(!contains(&region, &(struct box){ 0, 0, 17, 16 }));
}

TEST(a_rectangle_between_two_joins_them) {
  struct region region = { 0 };
  region_add(&region, (struct box){ 0, 0, 400, 400 });
  region_add(&region, (struct box){ 800, 0, 1200, 400 });
  EXPECT_EQUAL(region.count, 2);
  region_add(&region, (struct box){ 400, 0, 800, 400 });
  EXPECT_EQUAL(region.count, 1);
  EXPECT_EQUAL(area(&region), 1200 * 400);
}

TEST(whatever_is_added_is_covered) {
  for (uint32_t seed = 0; seed < 200; seed++) {
    struct region region = { 0 };
    struct box added[40];
    random_seed(seed);
    for (int i = 0; i < 40; i++) {
      int left = (int)random_below(1900), top = (int)random_below(1000);
      added[i] = (struct box){ left, top, left + 1 + (int)random_below(300), top + 1 + (int)random_below(200) };
      region_add(&region, added[i]);
      EXPECT(region.count <= REGION_BOXES_MAX);
      for (int before = 0; before <= i; before++) EXPECT(contains(&region, &added[before]));
    }
  }
}
