#include "common/text.h"

#include <X11/keysym.h>

/* Length of the sequence at `text`, with its character in `*character`; 0 if it is malformed. */
static size_t decode(const uint8_t *text, size_t size, uint32_t *character) {
  static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
  uint8_t lead = text[0];
  size_t length = lead < 0x80             ? 1
                  : (lead & 0xe0) == 0xc0 ? 2
                  : (lead & 0xf0) == 0xe0 ? 3
                  : (lead & 0xf8) == 0xf0 ? 4
                                          : 0;
  if (length == 0 || length > size) return 0;
  uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    value = value << 6 | (text[i] & 0x3f);
  }
  if (value < lowest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
  *character = value;
  return length;
}

bool text_next(const uint8_t **text, size_t *size, uint32_t *character) {
  while (*size > 0) {
    size_t length = decode(*text, *size, character);
    size_t step = length > 0 ? length : 1;
    *text += step;
    *size -= step;
    if (length > 0) return true;
  }
  return false;
}

bool text_is_valid(const uint8_t *text, size_t size) {
  while (size > 0) {
    uint32_t character;
    size_t length = decode(text, size, &character);
    if (length == 0) return false;
    text += length;
    size -= length;
  }
  return true;
}

KeySym text_symbol(uint32_t character) {
  if (character == '\n') return XK_Return;
  if (character == '\t') return XK_Tab;
  if (character < 0x20 || (character >= 0x7f && character < 0xa0)) return NoSymbol;
  if (character == 0x20ac) return XK_EuroSign;
  return character < 0x100 ? character : 0x01000000 | character;
}
