/*
 * Encodes recorded frames as the display helper does, with some of x264's parameters changed:
 *   encode FILE WIDTH HEIGHT [NAME=VALUE]...
 * FILE has the frames' pixels (red, green, blue, unused). Names are x264's, and `hints`: whether unchanged macroblocks
 * are marked and unchanged frames left out; and `timed`: whether the time is measured, in a pass of its own. Prints
 * bytes per frame, PSNR in dB, SSIM, and milliseconds of processor time per frame.
 */
#include <libyuv/convert_argb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <x264.h>

#include "capture/picture.h"
#include "encode/quality.h"

struct result {
  double bytes, psnr, ssim, milliseconds;
  int frames;
};

static bool hints = true, timed = true;

static void fail(const char *what) {
  fprintf(stderr, "encode: %s\n", what);
  exit(EXIT_FAILURE);
}

static void set_parameters(x264_param_t *params, int count, char **settings) {
  for (int i = 0; i < count; i++) {
    char name[64];
    const char *value = strchr(settings[i], '=');
    if (!value || (size_t)(value - settings[i]) >= sizeof name) fail("a parameter is not NAME=VALUE");
    snprintf(name, sizeof name, "%.*s", (int)(value - settings[i]), settings[i]);
    if (strcmp(name, "hints") == 0) hints = atoi(value + 1) != 0;
    else if (strcmp(name, "timed") == 0) timed = atoi(value + 1) != 0;
    else if (x264_param_parse(params, name, value + 1) != 0) fail("x264 does not know a parameter");
  }
  params->analyse.b_mb_info = hints;
}

/* Processor time of all threads, which other work on the machine changes little. */
static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void encode(x264_t *x264, struct picture *picture, struct result *result) {
  x264_picture_t in, out;
  x264_nal_t *units;
  int count;
  x264_picture_init(&in);
  in.i_type = result->frames == 0 ? X264_TYPE_IDR : X264_TYPE_P;
  in.i_pts = result->frames;
  in.img.i_csp = X264_CSP_I420;
  in.img.i_plane = 3;
  for (int i = 0; i < 3; i++) {
    in.img.plane[i] = picture->data[i];
    in.img.i_stride[i] = picture->strides[i];
  }
  if (hints) in.prop.mb_info = picture->blocks;
  int size = x264_encoder_encode(x264, &units, &count, &in, &out);
  if (size <= 0) fail("x264 gives no frame");
  result->bytes += size;
  result->psnr += out.prop.f_psnr_avg;
  result->ssim += out.prop.f_ssim;
}

static void discard(void *context, int level, const char *format, va_list arguments) {
  (void)context, (void)level, (void)format, (void)arguments;
}

/* Measuring the quality takes time of its own, so it needs a pass without measuring the time. */
static struct result run(FILE *file, x264_param_t params, bool measure_quality) {
  int width = params.i_width, height = params.i_height;
  size_t size = (size_t)width * (size_t)height * 4;
  uint8_t *pixels = malloc(size);
  struct picture picture;
  struct result result = { 0 };
  int encoded = 0;
  /* x264 measures only what it may also log. */
  params.i_log_level = X264_LOG_INFO;
  params.pf_log = discard;
  params.analyse.b_psnr = params.analyse.b_ssim = measure_quality;
  x264_t *x264 = x264_encoder_open(&params);
  if (!pixels || !x264 || !picture_create(&picture, width, height, false)) fail("x264 refuses the parameters");
  rewind(file);
  while (fread(pixels, size, 1, file) == 1) {
    ABGRToARGB(pixels, width * 4, pixels, width * 4, width, height);
    double begun = milliseconds();
    picture_update(&picture, pixels, (size_t)width * 4, &(struct box){ 0, 0, width, height });
    if (picture.changed || !hints) {
      encode(x264, &picture, &result);
      encoded++;
      picture_settle(&picture);
    }
    result.milliseconds += milliseconds() - begun;
    result.frames++;
  }
  if (encoded == 0) fail("no frames");
  result.psnr /= encoded;
  result.ssim /= encoded;
  result.bytes /= result.frames;
  result.milliseconds /= result.frames;
  x264_encoder_close(x264);
  picture_destroy(&picture);
  free(pixels);
  return result;
}

int main(int count, char **arguments) {
  if (count < 4) fail("FILE WIDTH HEIGHT [NAME=VALUE]...");
  FILE *file = fopen(arguments[1], "rb");
  if (!file) fail("cannot read the frames");
  struct encoding encoding = { atoi(arguments[2]), atoi(arguments[3]), 60, QUALITY_SMOOTH, false, 100000 };
  x264_param_t params;
  quality_params(&params, &encoding);
  set_parameters(&params, count - 4, arguments + 4);
  struct result quality = run(file, params, true), time = timed ? run(file, params, false) : quality;
  printf("%.0f %.3f %.4f %.3f\n", quality.bytes, quality.psnr, quality.ssim, time.milliseconds);
  return EXIT_SUCCESS;
}
