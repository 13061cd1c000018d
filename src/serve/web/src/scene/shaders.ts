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
varying vec3 place;
varying float high;
void main() {
  if (high > cut) discard;
  gl_FragColor = vec4(line, strength);
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

// A cell is read by its number, so that what is shown is exactly what the server sent. mode 0: the map; 1: its difference from the kept
// one; 2: the kept one left of the divider.
export const mapFragment = /* glsl */ `
precision highp usampler2D;
uniform usampler2D cells;
uniform usampler2D kept;
uniform sampler2D colours;
uniform sampler2D keptColours;
uniform sampler2D differenceColours;
uniform vec4 grid;
uniform vec4 keptGrid;
uniform vec2 size;
uniform vec2 keptSize;
uniform vec2 values;
uniform vec2 keptValues;
uniform vec2 range;
uniform vec2 keptRange;
uniform float differenceRange;
uniform float classes;
uniform float keptClasses;
uniform float firstClass;
uniform float keptFirstClass;
uniform int mode;
uniform float divider;
uniform float opacity;
uniform vec3 noPath;
uniform vec2 level;
uniform vec3 below;
varying vec3 place;

uint read(usampler2D map, vec4 grid, vec2 size) {
  vec2 cell = floor((place.xy - grid.xy) * grid.z);
  if (cell.x < 0.0 || cell.y < 0.0 || cell.x >= size.x || cell.y >= size.y) return 0u;
  return texelFetch(map, ivec2(cell), 0).r;
}

// A cell whose middle is inside a building has no value; what of it lies in the street shows the nearest cell beside it.
uint readStreet(usampler2D map, vec4 grid, vec2 size) {
  uint q = read(map, grid, size);
  if (q != 0u) return q;
  vec2 at = (place.xy - grid.xy) * grid.z;
  vec2 cell = floor(at);
  float least = 1e9;
  for (int i = 0; i < 9; i++) {
    vec2 next = cell + vec2(float(i % 3) - 1.0, float(i / 3) - 1.0);
    if (next.x < 0.0 || next.y < 0.0 || next.x >= size.x || next.y >= size.y) continue;
    float away = distance(at, next + 0.5);
    uint other = texelFetch(map, ivec2(next), 0).r;
    if (other == 0u || away >= least) continue;
    least = away;
    q = other;
  }
  return q;
}

float valueOf(uint q, vec2 values) { return values.x + values.y * float(q - 2u); }

vec4 colourOf(uint q, vec2 values, vec2 range, float classes, float first, sampler2D table) {
  if (q == 0u) return vec4(0.0);
  if (q == 1u) {
    float stripe = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 12.0));
    return vec4(noPath * mix(0.82, 1.0, stripe), 1.0);
  }
  float value = valueOf(q, values);
  if (classes > 0.0) {
    float number = floor(value - first + 0.5);
    return vec4(texelFetch(table, ivec2(int(mod(number, 256.0)), 0), 0).rgb, 1.0);
  }
  float t = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
  vec3 colour = texelFetch(table, ivec2(int(t * 255.0 + 0.5), 0), 0).rgb;
  if (level.y != 0.0 && (value - level.x) * level.y < 0.0) colour = mix(colour, below, 0.82);
  return vec4(colour, 1.0);
}

void main() {
  uint q = readStreet(cells, grid, size);
  vec4 colour;
  if (mode == 1) {
    uint other = readStreet(kept, keptGrid, keptSize);
    if (q == 0u || other == 0u) discard;
    if (q == 1u || other == 1u) colour = q == other ? vec4(0.0) : vec4(noPath, 1.0);
    else {
      float difference = valueOf(q, values) - valueOf(other, keptValues);
      float t = clamp(0.5 + 0.5 * difference / differenceRange, 0.0, 1.0);
      colour = vec4(texelFetch(differenceColours, ivec2(int(t * 255.0 + 0.5), 0), 0).rgb, 1.0);
    }
  } else if (mode == 2 && gl_FragCoord.x < divider) {
    colour = colourOf(readStreet(kept, keptGrid, keptSize), keptValues, keptRange, keptClasses, keptFirstClass, keptColours);
  } else colour = colourOf(q, values, range, classes, firstClass, colours);
  if (colour.a == 0.0) discard;
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
