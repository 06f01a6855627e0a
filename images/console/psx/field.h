/* Makes the pictures of programs end within a field. Programs written for real hardware often display lines 24 to 264,
 * but an NTSC field has 262 or 263: the emulator then never reaches the vertical blank, so the picture is black or
 * rolls, and a program that waits for the blank hangs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes such display ranges where a program in memory loads them as constants: they then end with the field.
 * Whether there were any; one may have been used already, so that the emulator's state needs the same change. */
bool field_mend_program(uint8_t *memory, size_t size, bool is_pal);
/* Changes the display range in the emulator's state. Whether it ended too late. */
bool field_mend_state(uint8_t *state, size_t size, bool is_pal);
