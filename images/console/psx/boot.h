/* Watches how OpenBIOS starts a disc: hides it while it does, and detects discs that it refuses. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit code if the BIOS does not start the disc; src/agent/kinds/ps1.ts has the message for it. */
enum { DISC_REFUSED = 3 };

/* Starts watching the console's memory. system: the folder for an operator's BIOS; with one, nothing is watched.
 * path: a disc; if a program of the same name (.exe) is beside it, everything is hidden until that program runs. */
void boot_begin(const uint8_t *memory, size_t size, const char *system, const char *path);
/* The console was reset. */
void boot_again(void);
/* A frame has passed. Ends the process with DISC_REFUSED if the BIOS has not started the disc in time. */
void boot_frame(void);
/* Whether OpenBIOS may still be reading the program from the disc. Never with an operator's BIOS. */
bool boot_is_starting(void);
/* Whether picture and sound are to be hidden. */
bool boot_is_hidden(void);
/* Stops watching. */
void boot_end(void);
