#include "fakes.h"
#include "input/keymap.h"

void keymap_mark(struct stroke stroke, bool pressed, int64_t now) {
  note("mark %u %d at %lld", stroke.code, pressed, (long long)now);
}

void keymap_prepare(struct stroke stroke) {
  if (stroke.group > 0) note("prepare group %u", stroke.group);
}
