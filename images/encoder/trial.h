#pragma once
#include <stdbool.h>
#include <stdio.h>

#include "choice.h"

/**
 * Encodes a picture of its own with those of the candidates that have a name, decodes it again and prints both
 * results, one a line, to `out`. Whether both worked.
 */
bool trial(const struct candidate *candidates, size_t count, const char *name, const char *device, FILE *out);
