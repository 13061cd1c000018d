// Pictures of a tile server below the scene, where the server was started with one (--backdrop): the tiles of the Web Mercator grid in one
// picture on one mesh, whose corners the server puts where they are in the scene.
import { BufferAttribute, BufferGeometry, CanvasTexture, LinearFilter, Mesh, ShaderMaterial } from "three";
import type { GeoPicture } from "../model/geotiff";
import type { Frame } from "./frame";

const TILE_PX = 256;
/** Tiles from west to east and from north to south, at most. */
const TILES_MAX = 8;
const ZOOM_MAX = 18;
/** Parts of a side of the mesh: the grid of the tiles is bent in the scene's coordinates. */
const PARTS = 8;

export interface TileRange {
  zoom: number;
  /** Numbers of the first tiles, and how many. */
  x: number;
  y: number;
  columns: number;
  rows: number;
}

export const tileX = (lon: number, zoom: number): number => ((lon + 180) / 360) * 2 ** zoom;
export const tileY = (lat: number, zoom: number): number => ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom;
export const lonOf = (x: number, zoom: number): number => (x / 2 ** zoom) * 360 - 180;
export const latOf = (y: number, zoom: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** zoom))) * 180) / Math.PI;

/** The finest tiles of which a few cover the corners. */
export function tilesOf(corners: [number, number][]): TileRange {
  const lons = corners.map((corner) => corner[0]);
  const lats = corners.map((corner) => corner[1]);
  for (let zoom = ZOOM_MAX; ; zoom--) {
    const x = Math.floor(tileX(Math.min(...lons), zoom));
    const y = Math.floor(tileY(Math.max(...lats), zoom));
    const columns = Math.floor(tileX(Math.max(...lons), zoom)) - x + 1;
    const rows = Math.floor(tileY(Math.min(...lats), zoom)) - y + 1;
    if (zoom === 0 || (columns <= TILES_MAX && rows <= TILES_MAX)) return { zoom, x, y, columns, rows };
  }
}

function load(address: string): Promise<HTMLImageElement | null> {
  return new Promise((resolve) => {
    const image = new Image();
    image.crossOrigin = "anonymous";
    image.onload = () => resolve(image);
    image.onerror = () => resolve(null);
    image.src = address;
  });
}

/** All tiles in one picture; null where none could be had. */
async function picture(template: string, range: TileRange): Promise<HTMLCanvasElement | null> {
  const canvas = document.createElement("canvas");
  canvas.width = range.columns * TILE_PX;
  canvas.height = range.rows * TILE_PX;
  const context = canvas.getContext("2d");
  let count = 0;
  const wanted = Array.from({ length: range.columns * range.rows }, (_, i) => [i % range.columns, Math.floor(i / range.columns)]);
  await Promise.all(
    wanted.map(async ([column, row]) => {
      const numbers: Record<string, number> = { "{z}": range.zoom, "{x}": range.x + column, "{y}": range.y + row };
      const image = await load(template.replace(/\{[zxy]\}/g, (name) => String(numbers[name])));
      if (!image || !context) return;
      context.drawImage(image, column * TILE_PX, row * TILE_PX, TILE_PX, TILE_PX);
      count++;
    }),
  );
  return count > 0 ? canvas : null;
}

const vertex = /* glsl */ `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragment = /* glsl */ `
uniform sampler2D tiles;
uniform float light;
varying vec2 at;
void main() {
  vec4 colour = texture2D(tiles, at);
  if (colour.a < 0.5) discard;
  gl_FragColor = vec4(colour.rgb * light, 1.0);
}`;

export type ToScene = (to: "lonlat" | "scene", points: [number, number][]) => Promise<[number, number][]>;

/** Scene coordinates of a grid of places over a picture, its rows from the north. */
type Places = (toEast: number, toSouth: number) => [number, number];

async function meshOf(
  canvas: HTMLCanvasElement,
  frame: Frame,
  place: Places,
  transform: ((points: [number, number][]) => Promise<[number, number][]>) | null,
): Promise<Mesh<BufferGeometry, ShaderMaterial>> {
  const places: [number, number][] = [];
  const uvs: number[] = [];
  for (let j = 0; j <= PARTS; j++)
    for (let i = 0; i <= PARTS; i++) {
      places.push(place(i / PARTS, j / PARTS));
      uvs.push(i / PARTS, 1 - j / PARTS);
    }
  const points = transform ? await transform(places) : places;
  const index: number[] = [];
  for (let j = 0; j < PARTS; j++)
    for (let i = 0; i < PARTS; i++) {
      const a = j * (PARTS + 1) + i;
      index.push(a, a + PARTS + 1, a + 1, a + 1, a + PARTS + 1, a + PARTS + 2);
    }
  const positions = points.flatMap(([x, y]) => {
    const [vx, vy] = frame.toView(x, y);
    return [vx, vy, frame.ground(vx, vy)];
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setAttribute("uv", new BufferAttribute(Float32Array.from(uvs), 2));
  geometry.setIndex(index);
  const texture = new CanvasTexture(canvas);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  const material = new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms: { tiles: { value: texture }, light: { value: 1 } },
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 2,
  });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.renderOrder = 0.5;
  return mesh;
}

/** The backdrop of a scene; null where the server of the tiles does not answer. */
export async function makeBackdrop(template: string, frame: Frame, transform: ToScene): Promise<Mesh<BufferGeometry, ShaderMaterial> | null> {
  const b = frame.info.bounds;
  const range = tilesOf(
    await transform("lonlat", [
      [b.x0, b.y0],
      [b.x1, b.y0],
      [b.x1, b.y1],
      [b.x0, b.y1],
    ]),
  );
  const canvas = await picture(template, range);
  const place: Places = (east, south) => [lonOf(range.x + range.columns * east, range.zoom), latOf(range.y + range.rows * south, range.zoom)];
  return canvas ? meshOf(canvas, frame, place, (points) => transform("scene", points)) : null;
}

const LONLAT = 4326;

/** A picture with its place: in the scene's coordinates, or in longitude and latitude. */
export function makePictureBackdrop(picture: GeoPicture, frame: Frame, transform: ToScene): Promise<Mesh<BufferGeometry, ShaderMaterial>> {
  const own = Number(/(?:EPSG:+)(\d+)/i.exec(frame.info.crs)?.[1] ?? 0);
  const inDegrees = picture.epsg === LONLAT && frame.info.lonlat;
  if (picture.epsg !== 0 && own !== 0 && picture.epsg !== own && !inDegrees)
    throw new Error(`the picture is in EPSG:${picture.epsg} and the scene in EPSG:${own}: gdalwarp -t_srs EPSG:${own} converts it`);
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d")?.putImageData(new ImageData(picture.rgba, picture.width, picture.height), 0, 0);
  const place: Places = (east, south) => [picture.x0 + picture.dx * picture.width * east, picture.y1 - picture.dy * picture.height * south];
  return meshOf(canvas, frame, place, inDegrees ? (points) => transform("scene", points) : null);
}
