/* What the free BIOS does before a program runs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit code of an emulator whose BIOS starts nothing of the disc; src/agent/kinds/ps1.ts has the words for it. */
enum { DISC_REFUSED = 3 };

/* Begins to watch the machine's memory. system: the folder with the operator's BIOS, which is not watched.
 * path: a disc; where a program of the same name (.exe) lies beside it, all is hidden until that runs. */
void boot_begin(const uint8_t *memory, size_t size, const char *system, const char *path);
/* The machine was switched off and on. */
void boot_again(void);
/* Another frame has passed. Ends the process with DISC_REFUSED where the BIOS has started nothing by now. */
void boot_frame(void);
/* Whether there is nothing yet that is to be seen. */
bool boot_is_hidden(void);
/* Nothing is watched any more. */
void boot_end(void);
