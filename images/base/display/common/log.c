#include "common/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_line(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "berth-display: %s\n", line);
}
