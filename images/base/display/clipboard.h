#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Text of the CLIPBOARD selection in both directions, at most 1 MiB of UTF-8. */

/** Starts to watch the selection. */
void clipboard_start(Display *display);

/** Makes a viewer's text the clipboard's. */
void clipboard_set(const uint8_t *text, size_t size);

/** Looks at an X event; true where it was about the clipboard. */
bool clipboard_event(const XEvent *event);

/** When an exchange with a silent program is to be given up, in microseconds; NEVER while there is none. */
int64_t clipboard_deadline(void);

/** Gives up what is overdue. */
void clipboard_run(void);

void clipboard_stop(void);
