#include "boot.h"
#include <dlfcn.h>
#include <m64p_debugger.h>
#include <stddef.h>

/* A cartridge's boot code follows its header; places in words. */
enum { BOOT_CODE = 0x40 / 4, BOOT_END = 0x1000 / 4 };
/* Parts of instructions: lui with the address of the RDRAM interface, lw of its register SELECT, li 1. */
enum { LUI_RI = 0x3c00a470, LUI_MASK = 0xffe0ffff, LW_SELECT = 0x8c00000c, LW_MASK = 0xfc00ffff, LI_1 = 0x24000001 };
enum { TARGET = 16, BASE = 21, REGISTER = 31, TARGET_MASK = REGISTER << TARGET };
enum { VI_V_INTR = (int)0xa440000c, NEVER = 0x3ff, EARLY_LINE = 2 };

static ptr_DebugMemWrite32 write_word;

static bool reads_select(uint32_t first, uint32_t second) {
  return (first & LUI_MASK) == LUI_RI && (second & LW_MASK) == LW_SELECT &&
         (first >> TARGET & REGISTER) == (second >> BASE & REGISTER);
}

void boot_keep_memory(uint32_t *cartridge) {
  for (int at = BOOT_CODE; at + 1 < BOOT_END; at++) {
    if (!reads_select(cartridge[at], cartridge[at + 1])) continue;
    cartridge[at + 1] = LI_1 | (cartridge[at + 1] & TARGET_MASK);
  }
}

bool boot_use_core(m64p_dynlib_handle core) {
  write_word = (ptr_DebugMemWrite32)dlsym(core, "DebugMemWrite32");
  return write_word != NULL;
}

void boot_count_lines(unsigned int interrupt_line) {
  if (interrupt_line == NEVER) write_word(VI_V_INTR, EARLY_LINE);
}
