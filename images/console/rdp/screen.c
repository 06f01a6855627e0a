#include "screen.h"
#include <GL/gl.h>
#include <dlfcn.h>
#include <m64p_config.h>
#include <m64p_plugin.h>
#include <m64p_vidext.h>
#include <string.h>

/* The aspect ratio of a television's picture. */
#define ASPECT (4.0f / 3.0f)

static struct {
  ptr_VidExt_Init init;
  ptr_VidExt_Quit quit;
  ptr_VidExt_SetVideoMode set_mode;
  ptr_VidExt_GL_GetProcAddress find;
  ptr_VidExt_GL_SwapBuffers swap;
  ptr_ConfigOpenSection open_section;
  ptr_ConfigGetParamInt get_int;
  ptr_ConfigGetParamBool get_bool;
} core;

static struct {
  void (*viewport)(GLint, GLint, GLsizei, GLsizei);
  void (*clear)(GLbitfield);
  void (*enable)(GLenum);
  void (*parameter)(GLenum, GLenum, GLint);
  void (*image)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
  void (*begin)(GLenum);
  void (*end)(void);
  void (*texture_at)(GLfloat, GLfloat);
  void (*vertex_at)(GLfloat, GLfloat);
} gl;

static bool is_open;
static int width, height;
static void (*rendered)(int);

static void *of(m64p_dynlib_handle handle, const char *name) { return dlsym(handle, name); }

bool screen_use_core(m64p_dynlib_handle handle) {
  core.init = (ptr_VidExt_Init)of(handle, "VidExt_Init");
  core.quit = (ptr_VidExt_Quit)of(handle, "VidExt_Quit");
  core.set_mode = (ptr_VidExt_SetVideoMode)of(handle, "VidExt_SetVideoMode");
  core.find = (ptr_VidExt_GL_GetProcAddress)of(handle, "VidExt_GL_GetProcAddress");
  core.swap = (ptr_VidExt_GL_SwapBuffers)of(handle, "VidExt_GL_SwapBuffers");
  core.open_section = (ptr_ConfigOpenSection)of(handle, "ConfigOpenSection");
  core.get_int = (ptr_ConfigGetParamInt)of(handle, "ConfigGetParamInt");
  core.get_bool = (ptr_ConfigGetParamBool)of(handle, "ConfigGetParamBool");
  return core.init && core.quit && core.set_mode && core.find && core.swap && core.open_section && core.get_int &&
         core.get_bool;
}

static bool find_gl(void) {
#define FIND(member, name) gl.member = (__typeof__(gl.member))core.find(name)
  FIND(viewport, "glViewport");
  FIND(clear, "glClear");
  FIND(enable, "glEnable");
  FIND(parameter, "glTexParameteri");
  FIND(image, "glTexImage2D");
  FIND(begin, "glBegin");
  FIND(end, "glEnd");
  FIND(texture_at, "glTexCoord2f");
  FIND(vertex_at, "glVertex2f");
  return gl.viewport && gl.clear && gl.enable && gl.parameter && gl.image && gl.begin && gl.end && gl.texture_at &&
         gl.vertex_at;
}

static bool open_window(void) {
  m64p_handle section;
  if (core.open_section("Video-General", &section) != M64ERR_SUCCESS) return false;
  width = core.get_int(section, "ScreenWidth");
  height = core.get_int(section, "ScreenHeight");
  m64p_video_mode mode = core.get_bool(section, "Fullscreen") ? M64VIDEO_FULLSCREEN : M64VIDEO_WINDOWED;
  if (core.init() != M64ERR_SUCCESS) return false;
  is_open = core.set_mode(width, height, 0, mode, 0) == M64ERR_SUCCESS && find_gl();
  if (!is_open) {
    core.quit();
    return false;
  }
  gl.enable(GL_TEXTURE_2D);
  gl.parameter(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl.parameter(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl.parameter(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl.parameter(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return true;
}

static void draw(const struct vi_picture *picture) {
  gl.image(GL_TEXTURE_2D, 0, GL_RGBA, picture->width, picture->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, picture->pixels);
  float left = picture->left * 2 - 1, right = picture->right * 2 - 1;
  float top = 1 - picture->top * 2, bottom = 1 - picture->bottom * 2;
  gl.begin(GL_TRIANGLE_STRIP);
  gl.texture_at(0, 0);
  gl.vertex_at(left, top);
  gl.texture_at(1, 0);
  gl.vertex_at(right, top);
  gl.texture_at(0, 1);
  gl.vertex_at(left, bottom);
  gl.texture_at(1, 1);
  gl.vertex_at(right, bottom);
  gl.end();
}

/* The largest part of the window with a television's aspect ratio. */
static void fit(void) {
  int wide = (int)((float)height * ASPECT), high = (int)((float)width / ASPECT);
  if (wide <= width) gl.viewport((width - wide) / 2, 0, wide, height);
  else gl.viewport(0, (height - high) / 2, width, high);
}

void screen_show(const struct vi_picture *picture) {
  if (!is_open && (picture == NULL || !open_window())) return;
  gl.clear(GL_COLOR_BUFFER_BIT);
  fit();
  if (picture != NULL) draw(picture);
  if (rendered != NULL) rendered(1);
  core.swap();
}

void screen_set_callback(void (*callback)(int)) { rendered = callback; }

void screen_close(void) {
  if (is_open) core.quit();
  is_open = false;
}
