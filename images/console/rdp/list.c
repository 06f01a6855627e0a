#include <string.h>
#include "rdp.h"

enum { COMMAND_TRIANGLE = 0x08, TRIANGLE_Z = 1, TRIANGLE_TEXTURE = 2, TRIANGLE_SHADE = 4 };
enum { TEXTURE_RECTANGLE = 0x24, TEXTURE_RECTANGLE_FLIP = 0x25, SYNC_FULL = 0x29, FILL_RECTANGLE = 0x36 };
enum { LOAD_TLUT = 0x30, LOAD_BLOCK = 0x33, LOAD_TILE = 0x34 };

/* The number of 32-bit words of each command. */
static unsigned length_of(unsigned command) {
  if (command >> 3 == COMMAND_TRIANGLE >> 3) {
    return 8 + (command & TRIANGLE_SHADE ? 16 : 0) + (command & TRIANGLE_TEXTURE ? 16 : 0) +
           (command & TRIANGLE_Z ? 4 : 0);
  }
  return command == TEXTURE_RECTANGLE || command == TEXTURE_RECTANGLE_FLIP ? 4 : 2;
}

static void carry_out(struct rdp *rdp, const uint32_t *words) {
  unsigned command = words[0] >> 24 & 0x3f;
  if (command >> 3 == COMMAND_TRIANGLE >> 3) shape_triangle(rdp, command, words);
  else if (command == TEXTURE_RECTANGLE || command == TEXTURE_RECTANGLE_FLIP || command == FILL_RECTANGLE) {
    shape_rectangle(rdp, command, words);
  } else if (command == LOAD_TLUT) load_tlut(rdp, words[0], words[1]);
  else if (command == LOAD_BLOCK) load_block(rdp, words[0], words[1]);
  else if (command == LOAD_TILE) load_tile(rdp, words[0], words[1]);
  else if (command == SYNC_FULL) rdp->is_done = true;
  else settings_command(rdp, command, words[0], words[1]);
}

void rdp_words(struct rdp *rdp, const uint32_t *words, unsigned count) {
  while (count > 0) {
    unsigned command = (rdp->pending_words > 0 ? rdp->pending[0] : words[0]) >> 24 & 0x3f;
    unsigned missing = length_of(command) - rdp->pending_words;
    unsigned taken = count < missing ? count : missing;
    memcpy(rdp->pending + rdp->pending_words, words, taken * sizeof *words);
    rdp->pending_words += taken;
    words += taken;
    count -= taken;
    if (taken < missing) return;
    carry_out(rdp, rdp->pending);
    rdp->pending_words = 0;
  }
}
