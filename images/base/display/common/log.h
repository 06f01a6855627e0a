#pragma once

/** Writes one line to stderr, prefixed with the helper's name. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
