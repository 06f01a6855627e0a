#pragma once
#include <stddef.h>
#include <stdint.h>

/** The forms that the clipboard's content may have. */
enum clipboard_form { CLIPBOARD_TEXT, CLIPBOARD_HTML, CLIPBOARD_PNG, CLIPBOARD_FORMS };

/** One form of the content; without bytes it is not there. */
struct clipboard_part {
  const uint8_t *bytes;
  size_t size;
};

/** The same content in several forms, text and HTML in UTF-8. */
struct clipboard_content {
  struct clipboard_part parts[CLIPBOARD_FORMS];
};
