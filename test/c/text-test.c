#include "common/text.h"

#include <X11/keysym.h>
#include <string.h>

#include "expect.h"
#include "fakes.h"

/* The characters of a text, one per line. */
static const char *characters(const char *text) {
  const uint8_t *at = (const uint8_t *)text;
  size_t size = strlen(text);
  uint32_t character;
  while (text_next(&at, &size, &character)) note("%x", character);
  EXPECT_EQUAL(size, 0);
  return notes();
}

static bool valid(const char *text) {
  return text_is_valid((const uint8_t *)text, strlen(text));
}

TEST(characters_of_every_length_are_read) {
  EXPECT_TEXT(characters("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"), "61\ne9\n20ac\n1f600\n7a\n");
  EXPECT_TEXT(characters("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
              "7f\n80\n7ff\n800\nffff\n10000\n10ffff\n");
  EXPECT(valid("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"));
  EXPECT(valid(""));
}

TEST(malformed_bytes_are_passed_over_and_make_a_text_invalid) {
  static const char *const malformed[] = {
    "\x80",
    "\xbf",
    "\xc3",
    "\xe2\x82",
    "\xf0\x9f\x98",
    "\xc0\xaf",
    "\xc1\xbf",
    "\xe0\x9f\xbf",
    "\xf0\x8f\xbf\xbf",
    "\xed\xa0\x80",
    "\xed\xbf\xbf",
    "\xf4\x90\x80\x80",
    "\xf8\x88\x80\x80\x80",
    "\xff",
    "\xfe",
  };
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    char text[16] = "a";
    strcat(strcat(text, malformed[i]), "b");
    EXPECT_TEXT(characters(text), "61\n62\n");
    EXPECT(!valid(text));
    EXPECT(!valid(malformed[i]));
  }
}

TEST(a_sequence_is_not_read_beyond_the_end) {
  uint8_t exact[2] = { 0xe2, 0x82 };
  EXPECT(!text_is_valid(exact, sizeof exact));
  const uint8_t *at = exact;
  size_t size = sizeof exact;
  uint32_t character;
  EXPECT(!text_next(&at, &size, &character));
}

TEST(each_character_has_its_keysym) {
  EXPECT_EQUAL(text_symbol('\n'), XK_Return);
  EXPECT_EQUAL(text_symbol('\t'), XK_Tab);
  EXPECT_EQUAL(text_symbol('a'), XK_a);
  EXPECT_EQUAL(text_symbol(0xe9), XK_eacute);
  EXPECT_EQUAL(text_symbol(0x20ac), XK_EuroSign);
  EXPECT_EQUAL(text_symbol(0x416), 0x1000416);
  EXPECT_EQUAL(text_symbol(0x1f600), 0x101f600);
}

TEST(control_characters_have_none) {
  static const uint32_t controls[] = { 0, 1, 8, 0x0d, 0x1b, 0x7f, 0x80, 0x9f };
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) EXPECT_EQUAL(text_symbol(controls[i]), NoSymbol);
}
