// Shrinks the picture to an integer number of pixels per line, unless that takes more than a quarter of its height: then
// it stays as large as fits. RetroArch's own integer scaling cuts lines off, or leaves half of the screen empty.
#if __VERSION__ >= 130
#define attribute in
#define varying VARYING
#define texture2D texture
#endif

#if defined(VERTEX)
#if __VERSION__ >= 130
#define VARYING out
#endif
attribute vec4 VertexCoord;
attribute vec4 TexCoord;
varying vec2 place;
uniform mat4 MVPMatrix;
// In pixels: the largest picture that fits, and the console's.
uniform vec2 OutputSize;
uniform vec2 InputSize;

void main() {
  gl_Position = MVPMatrix * VertexCoord;
  place = TexCoord.xy;
  float share = floor(OutputSize.y / InputSize.y) * InputSize.y / OutputSize.y;
  if (share < 0.75) return;
  vec2 size = floor(OutputSize * share + 0.5);
  vec2 margin = floor((OutputSize - size) / 2.0);
  vec2 corner = gl_Position.xy * 0.5 + 0.5;
  gl_Position.xy = (margin + corner * size) / OutputSize * 2.0 - 1.0;
}
#elif defined(FRAGMENT)
#if __VERSION__ >= 130
#define VARYING in
out vec4 colour;
#else
#define colour gl_FragColor
#endif
varying vec2 place;
uniform sampler2D Texture;

void main() {
  colour = texture2D(Texture, place);
}
#endif
