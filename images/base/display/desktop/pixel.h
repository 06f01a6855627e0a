#pragma once

/** Size of a pixel as the X server has it: blue, green, red, unused. */
enum { PIXEL_BYTES = 4 };
