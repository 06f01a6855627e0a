#include "task.h"
#include <string.h>

/* Where the usual libraries put a task's description in DMEM, and its fields. */
enum { HEADER = 0xfc0, TYPE = 0x0, BOOT = 0x8, BOOT_SIZE = 0xc, DATA = 0x18, DATA_SIZE = 0x1c };
enum { GRAPHICS = 1, LAST_TYPE = 7, LARGEST_BOOT = 0x1000, COMPARED = 64, SEARCHED = 0x800, ADDRESS_MASK = 0xffffff };

static uint32_t word(const uint8_t *bytes, uint32_t address) {
  uint32_t value;
  memcpy(&value, bytes + (address & ~3u), sizeof value);
  return value;
}

/* Whether the memory contains this text at an address. */
static bool says(const uint8_t *memory, uint32_t from, uint32_t length, const char *text) {
  size_t size = strlen(text);
  for (uint32_t at = from; at + size <= from + length; at++) {
    size_t same = 0;
    while (same < size && memory[(at + same) ^ 3] == (uint8_t)text[same]) same++;
    if (same == size) return true;
  }
  return false;
}

enum task task_of(const uint8_t *dmem, const uint8_t *imem, const uint8_t *memory, uint32_t memory_size) {
  uint32_t type = word(dmem, HEADER + TYPE), boot_size = word(dmem, HEADER + BOOT_SIZE);
  uint32_t boot = word(dmem, HEADER + BOOT) & ADDRESS_MASK, data = word(dmem, HEADER + DATA) & ADDRESS_MASK;
  if (type < GRAPHICS || type > LAST_TYPE || boot_size == 0 || boot_size > LARGEST_BOOT) return TASK_OTHER;
  if (boot == 0 || boot % 8 != 0 || boot + COMPARED > memory_size || data + SEARCHED > memory_size) return TASK_OTHER;
  if (memcmp(imem, memory + boot, COMPARED) != 0) return TASK_OTHER;
  if (type != GRAPHICS) return TASK_USUAL;
  bool is_known = says(memory, data, SEARCHED, "RSP Gfx ucode") || says(memory, data, SEARCHED, "RSP SW Version");
  return is_known ? TASK_USUAL : TASK_OTHER;
}

bool task_is_graphics(const uint8_t *dmem) { return word(dmem, HEADER + TYPE) == GRAPHICS; }
