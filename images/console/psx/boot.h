/* Watches how OpenBIOS starts a disc, which is hidden, and detects discs that it refuses. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit code if the BIOS does not start the disc; src/agent/kinds/ps1.ts has the message for it. */
enum { DISC_REFUSED = 3 };

/* OpenBIOS copies its shell, a turning cube, to this address, and clears it before starting a disc. */
enum { SHELL = 0x30000, SHELL_BYTES = 4096 };
/* An address without its segment, of which there are three with the same memory. */
enum { ADDRESS_MASK = 0x1FFFFFFF };

/* Whether OpenBIOS starts discs: not if there is an operator's BIOS in this folder. */
bool boot_is_free(const char *system);
/* Starts watching the console's memory. */
void boot_begin(const uint8_t *memory, size_t size);
/* The console was reset. */
void boot_again(void);
/* The console is where the shell ends. */
void boot_skipped(void);
/* A frame has passed. program_counter tells where the CPU is; it is asked only once something was loaded. Ends the
 * process with DISC_REFUSED if the BIOS has not started the disc in time. */
void boot_frame(uint32_t (*program_counter)(void));
/* Whether OpenBIOS is still starting the disc: picture and sound are to be hidden, and it needs the disc. Never with an
 * operator's BIOS. */
bool boot_is_starting(void);
/* Stops watching. */
void boot_end(void);
