/* Differences between the emulated console and the hardware that keep programs from starting. */
#ifndef BOOT_H
#define BOOT_H

#include <m64p_types.h>
#include <stdbool.h>
#include <stdint.h>

/* Takes what it needs from the emulator; false if that isn't there. */
bool boot_use_core(m64p_dynlib_handle core);

/* The emulator's RDRAM is set up, but not its interface's register SELECT, which the open boot code of libdragon looks
 * at: it then sets the memory up itself and finds 64 MB. Changes that look in a cartridge's boot code, given as words
 * as the host stores them. No other boot code contains it. */
void boot_keep_memory(uint32_t *cartridge);

/* The emulator counts lines, and shows pictures, only after the line of the video interrupt (VI_V_INTR) was one that
 * exists. Boot code leaves another, and programs that wait for a line before they set it would wait forever. To be
 * called when the video interface is switched on. */
void boot_count_lines(unsigned int interrupt_line);

#endif
