#pragma once
#include <stdint.h>

/** A deadline that never expires. */
#define NEVER INT64_MAX

/** Microseconds of the monotonic clock. */
int64_t now_us(void);
