#pragma once
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Keys and text of all viewers. They share one queue, which preserves their order while a character waits for a spare
 * key. Keys repeat when they are pressed again while they are held, and not by themselves.
 */

/** Initializes the keyboard. False: the server has no XKB. */
bool keyboard_start(Display *display);

/**
 * Presses or releases the key that produces an X11 keysym: that in this place, a keycode, or any if it is 0. Lock keys
 * are ignored: the viewer's own already take effect.
 */
void keyboard_key(uint32_t user, bool down, uint32_t symbol, uint8_t place);

/** Types UTF-8, including line breaks and tabs, independent of held modifiers. */
void keyboard_text(const uint8_t *text, size_t size);

/** Releases what a user holds, or everybody for user 0, and drops their pending text. */
void keyboard_release(uint32_t user);

/** When the queue can continue, in microseconds; NEVER if it is empty. */
int64_t keyboard_deadline(void);

/** Processes the queue as far as possible now. */
void keyboard_run(void);

void keyboard_stop(void);
