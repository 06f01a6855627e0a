#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

enum { TESTS_MAX = 64, SECONDS_MAX = 60 };

static struct {
  const char *name;
  void (*run)(void);
} tests[TESTS_MAX];
static int count;
static bool failed;

void test_register(const char *name, void (*run)(void)) {
  if (count == TESTS_MAX) abort();
  tests[count].name = name;
  tests[count++].run = run;
}

void expect_true(bool holds, const char *what, const char *file, int line) {
  if (holds) return;
  failed = true;
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
}

void expect_equal(long long actual, long long wanted, const char *what, const char *file, int line) {
  if (actual == wanted) return;
  failed = true;
  fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, actual, wanted);
}

void expect_text(const char *actual, const char *wanted, const char *what, const char *file, int line) {
  if (strcmp(actual, wanted) == 0) return;
  failed = true;
  fprintf(stderr, "%s:%d: %s is\n%s\nnot\n%s\n", file, line, what, actual, wanted);
}

void expect_bytes(const void *actual, const void *wanted, size_t size, const char *what, const char *file, int line) {
  for (size_t i = 0; i < size; i++) {
    unsigned found = ((const unsigned char *)actual)[i], right = ((const unsigned char *)wanted)[i];
    if (found == right) continue;
    failed = true;
    fprintf(stderr, "%s:%d: byte %zu of %s is 0x%02x, not 0x%02x\n", file, line, i, what, found, right);
    return;
  }
}

static bool passes(int index) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS_MAX);
    tests[index].run();
    exit(failed ? EXIT_FAILURE : EXIT_SUCCESS);
  }
  int status;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  const char *suite = slash ? slash + 1 : "suite";
  bool all = count > 0;
  for (int i = 0; i < count; i++) {
    bool passed = passes(i);
    if (!passed) all = false;
    printf("%s - %s: ", passed ? "ok" : "not ok", suite);
    for (const char *at = tests[i].name; *at; at++) putchar(*at == '_' ? ' ' : *at);
    putchar('\n');
  }
  return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
