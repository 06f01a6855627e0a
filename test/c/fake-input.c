#include "fakes.h"
#include "input/keyboard.h"
#include "input/pointer.h"

void keyboard_key(uint32_t user, bool down, uint32_t symbol, uint8_t place) {
  note("key user %u down %d symbol 0x%x place %u", user, down, symbol, place);
}

void keyboard_text(const uint8_t *text, size_t size) {
  note("text %.*s", size > 100 ? 100 : (int)size, (const char *)text);
}

void keyboard_release(uint32_t user) {
  note("keyboard release %u", user);
}

void pointer_move(unsigned x, unsigned y) {
  note("move %u %u", x, y);
}

void pointer_button(uint32_t user, unsigned button, bool down) {
  note("button user %u button %u down %d", user, button, down);
}

void pointer_wheel(int dx, int dy) {
  note("wheel %d %d", dx, dy);
}

void pointer_turn(int dx, int dy) {
  note("turn %d %d", dx, dy);
}

void pointer_find_target(unsigned x, unsigned y) {
  note("find target %u %u", x, y);
}

void pointer_release(uint32_t user) {
  note("pointer release %u", user);
}
