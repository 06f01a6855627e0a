#include "psx/boot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

enum { SIZE = 0x200000, SHELL = 0x30000, SHOWN = 60, LONGEST = 1200, READ = 240, SETTLING = 10, TEXT = 0x10000 };

static uint8_t memory[SIZE];
static char folder[] = "/tmp/berth-boot-XXXXXX";

static void frames(int count) {
  while (count-- > 0) boot_frame();
}

/* The code with which a process ends that sees so many frames. */
static int ends_after(int count) {
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr);
    frames(count);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/* A program of three sectors, of which the last is empty. */
static const char *program(void) {
  static char sheet[64], name[64];
  static uint8_t exe[4 * 2048] = "PS-X EXE";
  exe[0x1a] = TEXT >> 16;
  exe[0x1b] = 0x80;
  exe[0x1d] = 0x18;
  memset(exe + 2048, 7, 4096);
  if (mkdtemp(folder) == NULL) abort();
  snprintf(sheet, sizeof sheet, "%s/game.cue", folder);
  snprintf(name, sizeof name, "%s/game.exe", folder);
  FILE *file = fopen(name, "wb");
  if (file == NULL || fwrite(exe, sizeof exe, 1, file) != 1) abort();
  fclose(file);
  return sheet;
}

static void tidy(void) {
  char name[64];
  snprintf(name, sizeof name, "%s/game.exe", folder);
  unlink(name);
  rmdir(folder);
}

TEST(a_disc_is_refused_while_the_shell_stays) {
  memory[SHELL] = 1;
  boot_begin(memory, SIZE, NULL, "/none/game.chd");
  EXPECT(!boot_is_hidden());
  EXPECT_EQUAL(ends_after(LONGEST - 1), 0);
  EXPECT_EQUAL(ends_after(LONGEST), DISC_REFUSED);
}

TEST(a_disc_is_refused_when_the_shell_makes_room_for_nothing) {
  memory[SHELL] = 1;
  boot_begin(memory, SIZE, NULL, NULL);
  frames(SHOWN);
  memory[SHELL] = 0;
  EXPECT_EQUAL(ends_after(LONGEST), DISC_REFUSED);
  memory[TEXT] = 1;
  EXPECT_EQUAL(ends_after(2 * LONGEST), 0);
}

TEST(a_disc_is_needed_until_its_program_is_read) {
  memory[SHELL] = 1;
  boot_begin(memory, SIZE, NULL, NULL);
  EXPECT(boot_is_starting());
  frames(SHOWN + 100);
  EXPECT(boot_is_starting());
  memory[SHELL] = 0;
  frames(READ);
  EXPECT(boot_is_starting());
  memory[TEXT] = 1;
  frames(READ - 1);
  EXPECT(boot_is_starting());
  frames(1);
  EXPECT(!boot_is_starting());
  memory[SHELL] = 1;
  boot_again();
  EXPECT(boot_is_starting());
  boot_end();
  EXPECT(!boot_is_starting());
}

TEST(no_disc_is_refused_with_another_bios_or_after_a_state) {
  boot_begin(memory, SIZE, NULL, NULL);
  EXPECT_EQUAL(ends_after(LONGEST), 0);
  memory[SHELL] = 1;
  boot_begin(memory, SIZE, NULL, NULL);
  boot_end();
  EXPECT_EQUAL(ends_after(LONGEST), 0);
}

TEST(all_is_hidden_until_the_program_is_there_and_again_after_a_reset) {
  boot_begin(memory, SIZE, NULL, program());
  frames(100);
  EXPECT(boot_is_hidden());
  memset(memory + TEXT, 7, 2048);
  frames(1);
  EXPECT(boot_is_hidden());
  memset(memory + TEXT + 2048, 7, 2048);
  frames(SETTLING);
  EXPECT(boot_is_hidden());
  frames(1);
  EXPECT(!boot_is_hidden());
  memset(memory + TEXT, 0, 4096);
  boot_again();
  EXPECT(boot_is_hidden());
  frames(LONGEST);
  EXPECT(!boot_is_hidden());
  tidy();
}

TEST(a_program_that_changes_its_end_at_once_is_seen_all_the_same) {
  boot_begin(memory, SIZE, NULL, program());
  memset(memory + TEXT, 7, 2048);
  frames(1);
  memory[TEXT] = 8;
  frames(300);
  EXPECT(!boot_is_hidden());
  tidy();
}
