#include "fakes.h"
#include "input/keymap.h"

void keymap_mark(KeyCode code, bool pressed, int64_t now) {
  note("mark %u %d at %lld", code, pressed, (long long)now);
}
