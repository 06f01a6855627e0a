/* The window of the emulator while pictures are shown as they lie in memory. */
#ifndef SCREEN_H
#define SCREEN_H

#include <m64p_types.h>
#include "vi.h"

/* Looks up functions of the emulator's core; false if it is an incompatible one. */
bool screen_use_core(m64p_dynlib_handle core);
/* Shows a picture, or black without one; opens the window for the first picture. */
void screen_show(const struct vi_picture *picture);
/* The emulator draws into the window by itself. */
void screen_set_callback(void (*callback)(int));
void screen_close(void);

#endif
