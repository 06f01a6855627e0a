#include "video/patch.h"

#include "video/runs.h"
#include "wire/from-helper.h"
#include "wire/out.h"

bool patch_send(const struct capture *capture, uint32_t frame, size_t most) {
  uint8_t head[PATCH_BYTES], runs[PATCH_MAX_BYTES];
  struct area area = capture_changes(capture);
  int width = area.box.right - area.box.left, height = area.box.bottom - area.box.top;
  if (!area.pixels || width <= 0 || height <= 0) return false;
  if (most > sizeof runs) most = sizeof runs;
  size_t size = runs_encode(area.pixels, area.stride, width, height, runs, most);
  if (size == 0) return false;
  struct patch_message patch = {
    .frame = frame,
    .x = (uint16_t)area.box.left,
    .y = (uint16_t)area.box.top,
    .width = (uint16_t)width,
    .height = (uint16_t)height,
  };
  put_patch(head, patch);
  return out_send(head, sizeof head, runs, size);
}
