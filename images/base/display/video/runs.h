#pragma once
#include <stddef.h>
#include <stdint.h>

/**
 * Encodes rows of pixels (pixel.h; `stride` bytes from one row to the next) as runs of equal ones, which
 * go on over the ends of rows: how many in LEB128, then red, green and blue. Returns the number of bytes; 0: they are
 * more than `capacity`.
 */
size_t runs_encode(const uint8_t *pixels, size_t stride, int width, int height, uint8_t *to, size_t capacity);
