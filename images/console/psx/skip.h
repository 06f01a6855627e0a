/* Skips the shell of OpenBIOS, which turns its cube for six seconds whatever is in the drive: the image has the state of
 * a console whose shell is about to end, which keep-shell.c made. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Loads the state for this region into the emulator, whose state has this size. disc: the one that is inside, from 0.
 * Whether it could be loaded. */
bool skip_shell(bool is_pal, int disc, size_t size, bool (*load)(const void *, size_t));
