const VERTEX = `#version 300 es
uniform mat4 view;
in vec3 place;
in vec2 at;
out vec2 spot;
void main() { gl_Position = view * vec4(place, 1); spot = at; }`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D picture;
in vec2 spot;
out vec4 colour;
void main() { colour = texture(picture, spot); }`;

/** The four corners of each face: place (x, y, z) and spot on the picture. */
const FACES = [
  ['x', 1],
  ['x', -1],
  ['y', 1],
  ['y', -1],
  ['z', 1],
  ['z', -1],
].flatMap(([axis, side]) =>
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ].flatMap(([u, v]) => {
    const place = { x: [side, v, -u * side], y: [u, side, -v * side], z: [u * side, v, side] }[axis];
    return [...place, (u + 1) / 2, (1 - v) / 2];
  }),
);

/** A turning cube whose faces show a picture. */
export class Cube {
  #gl;
  #view;

  constructor(canvas) {
    const gl = canvas.getContext('webgl2');
    if (!gl) throw new Error('This browser has no WebGL.');
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(FACES), gl.STATIC_DRAW);
    for (const [name, size, offset] of [
      ['place', 3, 0],
      ['at', 2, 12],
    ]) {
      const location = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 20, offset);
    }
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0.07, 0.09, 0.13, 1);
    this.#gl = gl;
    this.#view = gl.getUniformLocation(program, 'view');
  }

  /** Shows a frame of the session on all faces. */
  texture(frame) {
    const gl = this.#gl;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, frame);
  }

  /** @param angle in radians */
  draw(angle) {
    const gl = this.#gl;
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.#view, false, viewOf(angle, gl.drawingBufferWidth / gl.drawingBufferHeight));
    for (let face = 0; face < 6; face++) gl.drawArrays(gl.TRIANGLE_STRIP, face * 4, 4);
  }
}

/** The matrix that turns the cube, tilts it, puts it five units away and looks at it. */
function viewOf(angle, aspect) {
  const [turnSin, turnCos, tiltSin, tiltCos] = [Math.sin(angle), Math.cos(angle), Math.sin(0.4), Math.cos(0.4)];
  const [lens, near, far, away] = [2.2, 1, 10, 5];
  const [depth, shift] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  const column = (x, y, z) => [(lens / aspect) * x, lens * y, depth * z, -z];
  return new Float32Array([
    ...column(turnCos, tiltSin * turnSin, -tiltCos * turnSin),
    ...column(0, tiltCos, tiltSin),
    ...column(turnSin, -tiltSin * turnCos, tiltCos * turnCos),
    0,
    0,
    -depth * away + shift,
    away,
  ]);
}
