#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "encode/h264.h"
#include "expect.h"
#include "fakes.h"
#include "serve.h"
#include "trial.h"

/* libavcodec's x264 stands in for a card's encoder, in the ways in which these differ. */
#define OPTIONS "preset=ultrafast:tune=zerolatency:forced-idr=1:profile=main:coder=cabac:aq-mode=1"

static const struct candidate live = { "libx264", OPTIONS, false, true, false };
static const struct candidate reopened = { "libx264", OPTIONS, false, false, false };
static const struct candidate late = { "libx264", "preset=ultrafast:bf=0:forced-idr=1:profile=main", false, true,
                                       false };
static const struct candidate vaapi = { "h264_vaapi", "rc_mode=VBR:async_depth=1", true, false, false };
static const struct candidate nvenc = { "h264_nvenc", "rc=vbr:preset=p3:tune=ull:zerolatency=1:delay=0", false, true,
                                        true };
static const struct candidate unknown = { "h264_nowhere", "", false, true, false };

__attribute__((constructor)) static void be_quiet(void) {
  choice_listen();
}

enum { WIDTH = 320, HEIGHT = 180 };

static const struct encoder_request request = {
  .width = WIDTH,
  .height = HEIGHT,
  .fps = 60,
  .level = 31,
  .kbps = 4000,
  .quantizer = 27,
  .usual = 27,
};

static uint8_t *picture(void) {
  uint8_t *bytes = malloc(encoder_picture_bytes(WIDTH, HEIGHT));
  for (size_t i = 0; i < encoder_picture_bytes(WIDTH, HEIGHT); i++) bytes[i] = (uint8_t)random_below(256);
  return bytes;
}

struct result {
  bool key;
  size_t size;
  struct encoder_reply reply;
};

/* Encodes a frame that must be as promised. */
static struct result encode(struct choice *choice, uint8_t *bytes, const struct encoder_request *asked) {
  struct result result;
  struct h264_stream stream = { (int)asked->width, (int)asked->height, (int)asked->level };
  const AVPacket *frame = choice_encode(choice, bytes, asked, &result.reply);
  EXPECT(frame != NULL);
  if (!frame) exit(EXIT_FAILURE);
  const char *problem = h264_problem(frame->data, (size_t)frame->size, &stream, &result.key);
  EXPECT_TEXT(problem ? problem : "none", "none");
  EXPECT_EQUAL(result.reply.size, frame->size);
  result.size = (size_t)frame->size;
  return result;
}

TEST(frames_are_as_promised_and_key_frames_come_when_they_are_asked_for) {
  struct choice choice = { .candidates = &live, .count = 1 };
  struct encoder_request asked = request;
  uint8_t *bytes = picture();
  struct result first = encode(&choice, bytes, &asked);
  EXPECT(first.key);
  EXPECT_TEXT(first.reply.words, "libx264");
  EXPECT(first.reply.quantizer > 0 && first.reply.quantizer <= 51);
  for (int i = 0; i < 20; i++) EXPECT(!encode(&choice, bytes, &asked).key);
  asked.key = 1;
  EXPECT(encode(&choice, bytes, &asked).key);
  asked.key = 0;
  EXPECT(!encode(&choice, bytes, &asked).key);
  choice_close(&choice);
  free(bytes);
}

/* Bytes of the last of ten frames of noise, and how many key frames there were after the first. */
static size_t noise(struct choice *choice, const struct encoder_request *asked, int *keys) {
  size_t size = 0;
  for (int i = 0; i < 10; i++) {
    uint8_t *bytes = picture();
    struct result result = encode(choice, bytes, asked);
    *keys += result.key;
    size = result.size;
    free(bytes);
  }
  return size;
}

TEST(one_that_can_follows_the_rate_without_a_key_frame_and_others_are_opened_again) {
  for (int i = 0; i < 2; i++) {
    struct choice choice = { .candidates = i == 0 ? &live : &reopened, .count = 1 };
    struct encoder_request asked = request;
    int keys = 0;
    asked.kbps = 20000;
    size_t before = noise(&choice, &asked, &keys);
    EXPECT_EQUAL(keys, 1);
    asked.kbps = 19000;
    noise(&choice, &asked, &keys);
    EXPECT_EQUAL(keys, 1);
    asked.kbps = 1000;
    EXPECT(noise(&choice, &asked, &keys) < before / 4);
    EXPECT_EQUAL(keys, 1 + i);
    choice_close(&choice);
  }
}

TEST(a_still_picture_is_sharpened_by_a_lower_quantizer) {
  struct choice choice = { .candidates = &live, .count = 1 };
  struct encoder_request asked = request;
  asked.kbps = 50000;
  uint8_t *bytes = picture();
  encode(&choice, bytes, &asked);
  size_t plain = encode(&choice, bytes, &asked).size;
  asked.quantizer = 18;
  size_t sharp = encode(&choice, bytes, &asked).size;
  EXPECT(sharp > plain * 5 / 4);
  choice_close(&choice);
  free(bytes);
}

TEST(another_size_is_another_stream) {
  struct choice choice = { .candidates = &live, .count = 1 };
  struct encoder_request smaller = request;
  smaller.width = 160;
  smaller.height = 90;
  uint8_t *bytes = picture();
  EXPECT(encode(&choice, bytes, &request).key);
  EXPECT(encode(&choice, bytes, &smaller).key);
  EXPECT(!encode(&choice, bytes, &smaller).key);
  choice_close(&choice);
  free(bytes);
}

TEST(the_first_that_makes_a_frame_is_chosen) {
  const struct candidate candidates[] = { vaapi, unknown, nvenc, late, live };
  struct choice choice = { .candidates = candidates, .count = 5 };
  uint8_t *bytes = picture();
  EXPECT_TEXT(encode(&choice, bytes, &request).reply.words, "libx264");
  EXPECT(choice.chosen == &candidates[4]);
  EXPECT(!encode(&choice, bytes, &request).key);
  choice_close(&choice);
  free(bytes);
}

TEST(without_any_the_reply_says_what_was_wrong_with_each) {
  const struct candidate candidates[] = { vaapi, vaapi, unknown, late };
  struct choice choice = { .candidates = candidates, .count = 4, .device = "/dev/null" };
  struct encoder_reply reply;
  uint8_t *bytes = picture();
  EXPECT(!choice_encode(&choice, bytes, &request, &reply));
  EXPECT_EQUAL(reply.size, 0);
  EXPECT_TEXT(reply.words,
              "makes no frame (h264_vaapi: Generic error in an external library; h264_nowhere: Encoder not found; "
              "libx264: it holds frames back)");
  choice_close(&choice);
  free(bytes);
}

TEST(a_program_serves_what_is_in_the_memory_until_its_socket_is_closed) {
  int ends[2], memory = memfd_create("picture", MFD_CLOEXEC);
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  EXPECT(memory >= 0 && ftruncate(memory, (off_t)encoder_picture_bytes(WIDTH, HEIGHT)) == 0);
  struct encoder_request beyond = request;
  beyond.height = 2 * HEIGHT;
  EXPECT(send(ends[1], &request, sizeof request, 0) == sizeof request);
  EXPECT(send(ends[1], &beyond, sizeof beyond, 0) == sizeof beyond);
  struct choice choice = { .candidates = &live, .count = 1 };
  /* Ends at the picture that is not all there. */
  serve(&choice, ends[0], memory);
  struct encoder_reply reply;
  EXPECT(recv(ends[1], &reply, sizeof reply, MSG_WAITALL) == sizeof reply);
  EXPECT_TEXT(reply.words, "libx264");
  uint8_t *frame = malloc(reply.size);
  EXPECT(recv(ends[1], frame, reply.size, MSG_WAITALL) == (ssize_t)reply.size);
  EXPECT(recv(ends[1], frame, 1, MSG_DONTWAIT) < 0);
  free(frame);
  shutdown(ends[1], SHUT_WR);
  serve(&choice, ends[0], memory);
  close(ends[0]);
  close(ends[1]);
  close(memory);
}

TEST(a_trial_encodes_and_decodes_with_the_encoder_of_a_name) {
  const struct candidate candidates[] = { nvenc, unknown, live, reopened, vaapi };
  char printed[400] = "";
  FILE *out = fmemopen(printed, sizeof printed, "w");
  EXPECT(trial(candidates, 5, "libx264", NULL, out));
  fflush(out);
  EXPECT(strncmp(printed, "encoded: ", 9) == 0);
  EXPECT(strstr(printed, " bytes\ndecoded: ") != NULL);
  rewind(out);
  EXPECT(!trial(candidates, 5, "h264_vaapi", NULL, out));
  EXPECT(!trial(candidates, 5, "h264_nowhere", NULL, out));
  fclose(out);
  EXPECT_TEXT(printed, "not encoded: h264_vaapi makes no frame (h264_vaapi: No such device)\n"
                       "not encoded: h264_nowhere makes no frame (h264_nowhere: Encoder not found)\n");
}
