#include "rsp/task.h"

#include <string.h>

#include "expect.h"

enum { SIZE = 0x10000, BOOT = 0x2000, DATA = 0x3000 };

static uint32_t dmem[0x400], imem[0x400], memory[SIZE / 4];

static enum task judged(void) {
  return task_of((const uint8_t *)dmem, (const uint8_t *)imem, (const uint8_t *)memory, SIZE);
}

/* A task for graphics whose microcode says this of itself. */
static void lay(const char *text) {
  dmem[0xfc0 / 4] = 1;
  dmem[0xfc8 / 4] = 0x80000000 | BOOT;
  dmem[0xfcc / 4] = 0xd0;
  dmem[0xfd8 / 4] = DATA;
  for (int i = 0; i < 64; i++) imem[i] = memory[BOOT / 4 + i] = 0x40000000u + (unsigned)i;
  for (size_t i = 0; i < strlen(text); i++) ((uint8_t *)memory)[(DATA + 0x123 + i) ^ 3] = (uint8_t)text[i];
}

TEST(a_usual_microcode_is_known_by_its_name) {
  lay("RSP Gfx ucode F3DEX       fifo 2.08");
  EXPECT_EQUAL(judged(), TASK_USUAL);
}

TEST(another_microcode_is_not) {
  lay("a microcode of our own");
  EXPECT_EQUAL(judged(), TASK_OTHER);
}

TEST(sound_needs_no_name) {
  lay("");
  dmem[0xfc0 / 4] = 2;
  EXPECT_EQUAL(judged(), TASK_USUAL);
}

TEST(what_was_not_booted_is_no_task) {
  lay("RSP Gfx ucode F3DEX");
  imem[3] = 7;
  EXPECT_EQUAL(judged(), TASK_OTHER);
  EXPECT_EQUAL(judged(), TASK_OTHER);
}

TEST(any_header_is_survived) {
  lay("RSP Gfx ucode F3DEX");
  dmem[0xfc8 / 4] = 0xfffffff8;
  EXPECT_EQUAL(judged(), TASK_OTHER);
  dmem[0xfc8 / 4] = BOOT;
  dmem[0xfd8 / 4] = 0x00fffffc;
  EXPECT_EQUAL(judged(), TASK_OTHER);
}
