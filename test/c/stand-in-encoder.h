#pragma once

/**
 * The command line of a program that takes the place of berth-encoder, without a card: the suite itself, which encodes
 * with x264. `fault`: what it does wrong; NULL: nothing. `from`: from which frame on, 0 is the first.
 *
 *   ends, hangs       without an answer
 *   refuses           says that it makes no frame
 *   no-key            makes no key frame when one is asked for
 *   high, level, size, reorders   writes another stream than was asked for
 *   no-headers        writes key frames without SPS and PPS
 *   noise             writes what is no stream
 *   huge              says that a frame is larger than any
 */
char *const *stand_in_encoder(const char *fault, int from);
