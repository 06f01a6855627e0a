#include "boot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  SECTOR = 2048,
  EXE_ADDRESS = 0x18,
  EXE_BYTES = 0x1C,
  ADDRESS_MASK = 0x1FFFFF,
  /* OpenBIOS copies its shell, a turning cube, to this address, and clears it before starting a disc. */
  SHELL = 0x30000,
  SHELL_BYTES = 4096,
  /* Memory for programs: the BIOS's own memory is below it, its stack above. */
  PROGRAMS = 0x10000,
  PROGRAMS_END = 0x1F0000,
  /* Frames after which the shell is certainly loaded, and after which a program is, which takes a third of that. */
  SHELL_SHOWN = 60,
  LONGEST_START = 1200,
  /* Frames in which even the largest program is read, once its first sector is in memory. */
  LONGEST_READ = 240,
  /* Frames for the program to start and set its own video mode: RetroArch keeps the scale of the BIOS's otherwise. */
  SETTLING = 10,
};

static struct {
  const uint8_t *memory;
  size_t size;
  bool is_watched, is_hidden, is_program, is_free;
  uint8_t shell[SHELL_BYTES], first[SECTOR], last[SECTOR];
  size_t first_at, last_at;
  unsigned frame, begun, loaded, running;
} boot;

static bool has_bios(const char *folder) {
  static const char *const names[] = { "scph5500.bin", "scph5501.bin", "scph5502.bin" };
  char path[4096];
  for (size_t i = 0; folder != NULL && i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    if (access(path, R_OK) == 0) return true;
  }
  return false;
}

static uint32_t word(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Reads a program's first sector and its last non-empty one, and computes the addresses they will be loaded to. */
static bool read_ends(FILE *file) {
  uint8_t head[SECTOR];
  if (fread(head, SECTOR, 1, file) != 1 || memcmp(head, "PS-X EXE", 8) != 0) return false;
  if (fread(boot.first, SECTOR, 1, file) != 1) return false;
  boot.first_at = word(head + EXE_ADDRESS) & ADDRESS_MASK;
  size_t sectors = word(head + EXE_BYTES) / SECTOR;
  for (size_t i = sectors; i-- > 0;) {
    if (fseek(file, (long)(i + 1) * SECTOR, SEEK_SET) != 0 || fread(boot.last, SECTOR, 1, file) != 1) return false;
    boot.last_at = boot.first_at + i * SECTOR;
    if (boot.last_at + SECTOR > boot.size) return false;
    for (size_t k = 0; k < SECTOR; k++)
      if (boot.last[k] != 0) return true;
  }
  return false;
}

static bool find_program(const char *path) {
  size_t length = path == NULL ? 0 : strlen(path);
  if (length < 5 || strcmp(path + length - 4, ".cue") != 0) return false;
  char *name = strdup(path);
  if (name == NULL) return false;
  memcpy(name + length - 4, ".exe", 4);
  FILE *file = fopen(name, "rb");
  bool is_found = file != NULL && read_ends(file);
  if (file != NULL) fclose(file);
  free(name);
  return is_found;
}

void boot_begin(const uint8_t *memory, size_t size, const char *system, const char *path) {
  boot_end();
  if (memory == NULL || size < PROGRAMS_END) return;
  boot.memory = memory;
  boot.size = size;
  boot.is_free = !has_bios(system);
  boot.is_program = find_program(path);
  boot_again();
}

void boot_again(void) {
  boot.frame = boot.begun = boot.loaded = boot.running = 0;
  boot.is_watched = boot.memory != NULL && boot.is_free;
  boot.is_hidden = boot.memory != NULL && boot.is_program;
}

bool boot_is_starting(void) { return boot.is_hidden || (boot.is_watched && boot.running < LONGEST_READ); }

bool boot_is_hidden(void) { return boot.is_hidden; }

void boot_end(void) { boot.is_watched = boot.is_hidden = false; }

static bool is_empty(const uint8_t *bytes, size_t count) {
  while (count > 0 && bytes[count - 1] == 0) count--;
  return count == 0;
}

/* Whether the shell was cleared, and something was loaded. */
static bool has_program(void) {
  return memcmp(boot.shell, boot.memory + SHELL, SHELL_BYTES) != 0 &&
         !is_empty(boot.memory + PROGRAMS, PROGRAMS_END - PROGRAMS);
}

/* Ends the process if there is still no program after the longest start. */
static void watch(void) {
  const uint8_t *shell = boot.memory + SHELL;
  if (boot.frame == SHELL_SHOWN) {
    memcpy(boot.shell, shell, SHELL_BYTES);
    boot.is_watched = !is_empty(shell, SHELL_BYTES);
  }
  if (boot.frame > SHELL_SHOWN && (boot.running > 0 || has_program())) boot.running++;
  if (boot.frame < LONGEST_START) return;
  boot.is_watched = false;
  if (has_program()) return;
  fprintf(stderr, "[psx] the BIOS does not start this disc\n");
  _exit(DISC_REFUSED);
}

static bool holds(size_t at, const uint8_t *sector) { return memcmp(boot.memory + at, sector, SECTOR) == 0; }

/* A program may overwrite its last sector in the very frame in which it starts, but hardly its whole first sector. */
static bool is_loaded(void) {
  if (boot.begun != 0 || holds(boot.first_at, boot.first)) boot.begun++;
  return holds(boot.last_at, boot.last) || boot.begun >= LONGEST_READ;
}

void boot_frame(void) {
  if (!boot.is_watched && !boot.is_hidden) return;
  boot.frame++;
  if (boot.is_watched) watch();
  if (!boot.is_hidden) return;
  if (boot.loaded != 0 || is_loaded()) boot.loaded++;
  if (boot.loaded > SETTLING || boot.frame >= LONGEST_START) boot.is_hidden = false;
}
