#include "psx/boot.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

enum { SIZE = 0x200000, SHOWN = 60, LONGEST = 1200, READ = 480, SETTLING = 10, TEXT = 0x10000 };

static uint8_t memory[SIZE];
/* Where the CPU is: in the BIOS, or in a program. */
static uint32_t counter;
static const uint32_t BIOS = 0xbfc05750, KERNEL = 0x80002ab4, PROGRAM = 0x80010004;

static uint32_t program_counter(void) {
  return counter;
}

static void frames(int count) {
  while (count-- > 0) boot_frame(program_counter);
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

/* A start whose shell is shown. */
static void begin(void) {
  memset(memory, 0, SIZE);
  memory[SHELL] = 1;
  counter = BIOS;
  boot_begin(memory, SIZE);
}

static void load(void) {
  memory[SHELL] = 0;
  memory[TEXT] = 1;
}

TEST(a_disc_is_refused_while_the_shell_stays) {
  begin();
  EXPECT(boot_is_starting());
  EXPECT_EQUAL(ends_after(LONGEST - 1), 0);
  EXPECT_EQUAL(ends_after(LONGEST), DISC_REFUSED);
}

TEST(a_disc_is_refused_when_the_shell_makes_room_for_nothing) {
  begin();
  frames(SHOWN);
  memory[SHELL] = 0;
  EXPECT_EQUAL(ends_after(LONGEST), DISC_REFUSED);
  load();
  EXPECT_EQUAL(ends_after(2 * LONGEST), 0);
}

TEST(a_disc_is_starting_until_its_program_runs_and_has_settled) {
  begin();
  frames(SHOWN + 100);
  EXPECT(boot_is_starting());
  load();
  frames(100);
  counter = KERNEL;
  frames(1);
  EXPECT(boot_is_starting());
  counter = PROGRAM;
  frames(1);
  counter = BIOS;
  frames(SETTLING - 1);
  EXPECT(boot_is_starting());
  frames(1);
  EXPECT(!boot_is_starting());
}

TEST(the_shell_itself_is_no_program) {
  begin();
  counter = 0x80030e84;
  frames(SHOWN + 100);
  EXPECT(boot_is_starting());
}

TEST(a_program_that_is_never_seen_running_starts_when_it_must_be_read) {
  begin();
  frames(SHOWN);
  load();
  frames(READ);
  EXPECT(boot_is_starting());
  frames(1);
  EXPECT(!boot_is_starting());
}

TEST(a_start_whose_shell_was_skipped_needs_none_of_its_frames) {
  begin();
  boot_skipped();
  load();
  counter = PROGRAM;
  frames(SETTLING + 1);
  EXPECT(!boot_is_starting());
}

TEST(it_begins_anew_after_a_reset) {
  begin();
  boot_skipped();
  load();
  counter = PROGRAM;
  frames(SETTLING + 1);
  begin();
  boot_again();
  EXPECT(boot_is_starting());
  EXPECT_EQUAL(ends_after(LONGEST), DISC_REFUSED);
}

TEST(nothing_is_watched_without_a_shell_or_after_a_state) {
  begin();
  memory[SHELL] = 0;
  EXPECT_EQUAL(ends_after(LONGEST), 0);
  frames(SHOWN);
  EXPECT(!boot_is_starting());
  begin();
  boot_end();
  EXPECT(!boot_is_starting());
  EXPECT_EQUAL(ends_after(LONGEST), 0);
}

TEST(an_operators_bios_starts_discs_itself) {
  char folder[] = "/tmp/berth-boot-XXXXXX", name[64];
  if (mkdtemp(folder) == NULL) abort();
  EXPECT(boot_is_free(folder));
  EXPECT(boot_is_free(NULL));
  snprintf(name, sizeof name, "%s/scph5501.bin", folder);
  FILE *file = fopen(name, "wb");
  if (file == NULL) abort();
  fclose(file);
  EXPECT(!boot_is_free(folder));
  unlink(name);
  rmdir(folder);
}
