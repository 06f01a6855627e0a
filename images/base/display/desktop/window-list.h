#pragma once
#include <stdint.h>

/** Tells of the windows that there are: who has several can switch between them, close and place them. */

/** Something about the windows has changed. */
void window_list_changed(void);

/** When the list is due, in microseconds; NEVER if nothing has changed. */
int64_t window_list_deadline(void);

/** Sends the list if it is due and is another one than before. */
void window_list_run(void);

/** What viewers ask for, by the number of a window in the list; nothing if it is not there any more. */
void window_list_activate(uint32_t id);
void window_list_close(uint32_t id);
void window_list_place(uint32_t id, int x, int y, int width, int height);
