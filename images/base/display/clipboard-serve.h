#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Answers programs that ask for the clipboard while its text is a viewer's; large texts in increments (INCR). */

void clipboard_serve_start(Display *display);

/** Takes a new text. False: out of memory. */
bool clipboard_serve_set(const uint8_t *text, size_t size);

/** Forgets the text. Running answers are cut off. */
void clipboard_serve_clear(void);

bool clipboard_serve_event(const XEvent *event);

int64_t clipboard_serve_deadline(void);

/** Gives up programs that do not fetch their increments. */
void clipboard_serve_run(void);
