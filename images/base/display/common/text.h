#pragma once
#include <X11/X.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Takes the next character from UTF-8 text, skipping malformed bytes. False: the end. */
bool text_next(const uint8_t **text, size_t *size, uint32_t *character);

/** Whether the whole text is well-formed UTF-8. */
bool text_is_valid(const uint8_t *text, size_t size);

/** The keysym that types a character: Return for line breaks, Tab; NoSymbol for other control characters. */
KeySym text_symbol(uint32_t character);
