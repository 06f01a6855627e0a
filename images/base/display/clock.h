#pragma once
#include <stdint.h>

/** A moment that never comes, as a deadline. */
#define NEVER INT64_MAX

/** Microseconds of the monotonic clock. */
int64_t now_us(void);
