#pragma once
#include <stdbool.h>
#include <stddef.h>

/**
 * What tests are written with. Each runs in a process of its own, so that it begins with fresh static state, and so
 * that one that crashes or leaks takes no other along.
 */

/** Defines a test; underscores in its name are printed as blanks. */
#define TEST(name) \
  static void name(void); \
  __attribute__((constructor)) static void register_##name(void) { \
    test_register(#name, name); \
  } \
  static void name(void)

/** Fails the test unless the condition holds; the test continues. */
#define EXPECT(condition) expect_true(condition, #condition, __FILE__, __LINE__)

/** Fails the test unless the integers are equal. */
#define EXPECT_EQUAL(actual, wanted) expect_equal((long long)(actual), (long long)(wanted), #actual, __FILE__, __LINE__)

/** Fails the test unless the texts are equal. */
#define EXPECT_TEXT(actual, wanted) expect_text(actual, wanted, #actual, __FILE__, __LINE__)

/** Fails the test unless both have these bytes. */
#define EXPECT_BYTES(actual, wanted, size) expect_bytes(actual, wanted, size, #actual, __FILE__, __LINE__)

void test_register(const char *name, void (*run)(void));
void expect_true(bool holds, const char *what, const char *file, int line);
void expect_equal(long long actual, long long wanted, const char *what, const char *file, int line);
void expect_text(const char *actual, const char *wanted, const char *what, const char *file, int line);
void expect_bytes(const void *actual, const void *wanted, size_t size, const char *what, const char *file, int line);
