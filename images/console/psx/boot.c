#include "boot.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  /* Memory for programs: the BIOS's own memory is below it, its stack above. */
  PROGRAMS = 0x10000,
  PROGRAMS_END = 0x1F0000,
  /* Frames after which the shell is certainly loaded, and after which a program is, which takes a third of that. */
  SHELL_SHOWN = 60,
  LONGEST_START = 1200,
  /* Frames in which even the largest program is read, once its first sector is in memory. */
  LONGEST_READ = 480,
  /* Frames for the program to set its own video mode: RetroArch keeps the scale of the BIOS's otherwise. */
  SETTLING = 10,
};

static struct {
  const uint8_t *memory;
  bool is_starting;
  uint8_t shell[SHELL_BYTES];
  /* Frames since the start, since something was loaded, and since it runs. */
  unsigned frame, loaded, running;
} boot;

bool boot_is_free(const char *system) {
  static const char *const names[] = { "scph5500.bin", "scph5501.bin", "scph5502.bin" };
  char path[4096];
  for (size_t i = 0; system != NULL && i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", system, names[i]);
    if (access(path, R_OK) == 0) return false;
  }
  return true;
}

void boot_begin(const uint8_t *memory, size_t size) {
  boot.memory = size < PROGRAMS_END ? NULL : memory;
  boot_again();
}

void boot_again(void) {
  boot.frame = boot.loaded = boot.running = 0;
  boot.is_starting = boot.memory != NULL;
}

bool boot_is_starting(void) { return boot.is_starting; }

void boot_end(void) { boot.is_starting = false; }

/* Compares each byte with the next one: this runs in each frame of a start, and memcmp is faster than a loop. */
static bool is_empty(const uint8_t *bytes, size_t count) {
  return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

void boot_skipped(void) {
  if (!boot.is_starting) return;
  boot.frame = SHELL_SHOWN;
  memcpy(boot.shell, boot.memory + SHELL, SHELL_BYTES);
  boot.is_starting = !is_empty(boot.shell, SHELL_BYTES);
}

/* Whether the shell was cleared, and something was loaded. */
static bool has_program(void) {
  return memcmp(boot.shell, boot.memory + SHELL, SHELL_BYTES) != 0 &&
         !is_empty(boot.memory + PROGRAMS, PROGRAMS_END - PROGRAMS);
}

static bool is_of_program(uint32_t address) {
  address &= ADDRESS_MASK;
  return address >= PROGRAMS && address < PROGRAMS_END;
}

void boot_frame(uint32_t (*program_counter)(void)) {
  if (!boot.is_starting) return;
  boot.frame++;
  if (boot.frame == SHELL_SHOWN) boot_skipped();
  if (boot.frame <= SHELL_SHOWN) return;
  if (boot.loaded > 0 || has_program()) boot.loaded++;
  if (boot.running > 0 || (boot.loaded > 0 && is_of_program(program_counter()))) boot.running++;
  if (boot.running > SETTLING || boot.loaded > LONGEST_READ) boot.is_starting = false;
  if (boot.frame < LONGEST_START) return;
  boot.is_starting = false;
  if (boot.loaded > 0) return;
  fprintf(stderr, "[psx] the BIOS does not start this disc\n");
  _exit(DISC_REFUSED);
}
