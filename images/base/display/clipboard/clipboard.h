#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clipboard/content.h"

/** The CLIPBOARD selection in both directions: text, HTML and PNG pictures. */

/** Starts watching the selection. */
void clipboard_start(Display *display);

/** Sets the clipboard to a viewer's content, unless its text or HTML is not UTF-8. */
void clipboard_set(const struct clipboard_content *content);

/** Handles an X event; true if it was about the clipboard. */
bool clipboard_event(const XEvent *event);

/** When a transfer with a silent program times out, in microseconds; NEVER if there is none. */
int64_t clipboard_deadline(void);

/** Cancels timed out transfers. */
void clipboard_run(void);

void clipboard_stop(void);
