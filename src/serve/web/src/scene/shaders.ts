// The programs of the GPU. Colours are sRGB bytes as they are shown: nothing converts them.

export const solidVertex = /* glsl */ `
attribute float above;
varying vec3 place;
varying float high;
void main() {
  place = position;
  high = above;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Flat shading by the derivative of the place: walls need no normals of their own and share vertices with roofs.
export const solidFragment = /* glsl */ `
uniform vec3 wall;
uniform vec3 roof;
uniform vec3 sun;
uniform float cut;
varying vec3 place;
varying float high;
void main() {
  if (high > cut) discard;
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  if (!gl_FrontFacing) normal = -normal;
  float flatness = abs(normal.z);
  float light = 0.62 + 0.38 * max(0.0, dot(normalize(vec3(normal.xy, abs(normal.z))), sun));
  float foot = mix(0.82, 1.0, smoothstep(0.0, 10.0, high));
  vec3 colour = mix(wall * foot, roof, smoothstep(0.6, 0.9, flatness));
  gl_FragColor = vec4(colour * light, 1.0);
}`;

export const lineVertex = solidVertex;

export const lineFragment = /* glsl */ `
uniform vec3 line;
uniform float strength;
uniform float cut;
uniform vec2 pixel;
varying vec3 place;
varying float high;
// Outlines fade where a building is a few pixels wide: there they would hide the map.
void main() {
  if (high > cut) discard;
  float metres = pixel.x * distance(place, cameraPosition) + pixel.y;
  float fade = 1.0 - smoothstep(0.8, 4.0, metres);
  if (fade <= 0.0) discard;
  gl_FragColor = vec4(line, strength * fade);
}`;

export const groundVertex = /* glsl */ `
uniform float lift;
varying vec3 place;
void main() {
  place = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy, position.z + lift, 1.0);
}`;

export const groundFragment = /* glsl */ `
uniform vec3 ground;
uniform vec3 outside;
uniform vec4 bounds;
uniform vec3 sun;
uniform float relief;
varying vec3 place;
void main() {
  vec2 beyond = max(bounds.xy - place.xy, place.xy - bounds.zw);
  float inside = step(max(beyond.x, beyond.y), 0.0);
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  normal = normal.z < 0.0 ? -normal : normal;
  float light = mix(1.0, 0.45 + 0.75 * max(0.0, dot(normal, sun)), relief);
  gl_FragColor = vec4(mix(outside, ground, inside) * light, 1.0);
}`;

// A cell is read by its number, so that what is shown is exactly what the server sent; its colour is made once per answer (paint.ts).
// With SWIPE the kept map is left of the divider. Opacity 128 means: a receiver that no path reaches.
export const mapFragment = /* glsl */ `
precision highp sampler2D;
uniform sampler2D cells;
uniform vec4 grid;
uniform vec2 size;
#ifdef SWIPE
uniform sampler2D kept;
uniform vec4 keptGrid;
uniform vec2 keptSize;
uniform float divider;
#endif
uniform float opacity;
uniform vec3 noPath;
varying vec3 place;

vec4 read(sampler2D map, vec4 grid, vec2 size) {
  vec2 cell = floor((place.xy - grid.xy) * grid.z);
  if (cell.x < 0.0 || cell.y < 0.0 || cell.x >= size.x || cell.y >= size.y) return vec4(0.0);
  return texelFetch(map, ivec2(cell), 0);
}

void main() {
#ifdef SWIPE
  vec4 colour;
  if (gl_FragCoord.x < divider) colour = read(kept, keptGrid, keptSize);
  else colour = read(cells, grid, size);
#else
  vec4 colour = read(cells, grid, size);
#endif
  if (colour.a == 0.0) discard;
  if (colour.a < 0.9) colour.rgb = noPath * mix(0.82, 1.0, step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 12.0)));
  gl_FragColor = vec4(colour.rgb, opacity);
}`;

// Lines of a width in pixels: each is a rectangle that faces the screen.
export const wideLineVertex = /* glsl */ `
attribute vec3 from;
attribute vec3 to;
attribute vec4 colour;
uniform vec2 window;
uniform float width;
varying vec4 shade;
varying float across;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
  float near = 0.001;
  if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * window;
  float far = length(along);
  along = far > 1e-6 ? along / far : vec2(1.0, 0.0);
  vec4 end = position.x < 0.5 ? a : b;
  vec2 side = vec2(-along.y, along.x) * position.y + along * (position.x * 2.0 - 1.0) * 0.5;
  end.xy += side * (width + 1.0) / window * end.w;
  shade = colour;
  across = position.y;
  gl_Position = end;
}`;

export const wideLineFragment = /* glsl */ `
uniform float width;
varying vec4 shade;
varying float across;
void main() {
  float edge = (1.0 - abs(across)) * (width + 1.0) * 0.5;
  gl_FragColor = vec4(shade.rgb, shade.a * clamp(edge, 0.0, 1.0));
}`;

export const pointVertex = /* glsl */ `
attribute vec3 colour;
uniform float diameter;
varying vec3 shade;
void main() {
  shade = colour;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = diameter;
}`;

export const pointFragment = /* glsl */ `
uniform float diameter;
uniform vec3 rim;
varying vec3 shade;
void main() {
  float r = length(gl_PointCoord - 0.5) * diameter;
  float outer = clamp(0.5 * diameter - r, 0.0, 1.0);
  if (outer <= 0.0) discard;
  float inner = clamp(0.5 * diameter - min(1.5, 0.13 * diameter) - r, 0.0, 1.0);
  gl_FragColor = vec4(mix(rim, shade, inner), outer);
}`;

export const fanVertex = /* glsl */ `
attribute vec4 colour;
varying vec4 shade;
void main() {
  shade = colour;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

export const fanFragment = /* glsl */ `
varying vec4 shade;
void main() { gl_FragColor = shade; }`;
