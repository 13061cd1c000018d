// Modules without a screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellAt, cellValue, decodeGeometry, decodeRaster, percentiles, type Geometry, type Raster } from "../src/model/binary";
import { classColour, colourMaps, colourTable, twoSided, type Rgb } from "../src/model/colours";
import { Pace } from "../src/model/pace";
import { Predictor, type Answer } from "../src/model/predictor";
import { Vector3 } from "three";
import { groundKml } from "../src/model/kml";
import { isJoint, layerStyle, registerLayers } from "../src/model/layers";
import { idOfAddress, newProjectId } from "../src/model/project_id";
import { crc32, zip } from "../src/model/zip";
import { colourIndex, differenceFigures, paintDifference, paintMap, weakCells } from "../src/scene/paint";
import { Picker } from "../src/scene/pick";
import { emptyProject, fromJson, toJson } from "../src/model/project";
import { freeName, groupByPlace, isLonLat, newSite, parseCsv, sitesFromCsv, sitesToCsv } from "../src/model/sites";
import { buildingCells, coverageShares, errorFigures, fresnelRadius, histogram, profileLines } from "../src/model/statistics";
import { Store } from "../src/model/store";
import { formatFrequency, parseQuantity, roundStep, ticks } from "../src/model/units";
import { latOf, lonOf, tilesOf, tileX, tileY } from "../src/scene/backdrop";
import { MapCamera } from "../src/scene/camera";
import { Frame } from "../src/scene/frame";
import { buildSolids } from "../src/scene/solids";
import { readPly } from "../src/scene/tiles";

function message(word: string, header: unknown, body: ArrayBuffer): ArrayBuffer {
  let text = JSON.stringify(header);
  while (text.length % 4) text += " ";
  const bytes = new Uint8Array(8 + text.length + body.byteLength);
  bytes.set(new TextEncoder().encode(word));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8);
  bytes.set(new Uint8Array(body), 8 + text.length);
  return bytes.buffer;
}

function raster(nx: number, ny: number, cells: number[], step = 1): Raster {
  return { layer: "power", unit: "dBm", nx, ny, x0: 0, y0: 0, step, offset: -200, scale: 0.5, min: 0, max: 0, cells: Uint16Array.from(cells) };
}

/** Two houses: a square with a court, and one beside it. */
function houses(): Geometry {
  const square = (x: number, y: number, side: number): number[] => [x, y, x + side, y, x + side, y + side, x, y + side];
  return {
    ringStart: Uint32Array.of(0, 4, 8, 12),
    ringXy: Float32Array.from([...square(0, 0, 6), ...square(2, 2, 2), ...square(8, 0, 2)]),
    partOfRing: Uint32Array.of(0, 0, 1),
    base: Float32Array.of(0, 0),
    roof: Float32Array.of(10, 5),
    building: Uint32Array.of(0, 1),
    meshVertices: new Float32Array(0),
    meshTriangles: new Uint32Array(0),
    panels: Float32Array.of(0, 8, 4, 8, 0, 3),
    terrain: null,
  };
}

test("a map is read as it was sent, and refused where it is cut off", () => {
  const header = { layer: "path_loss", unit: "dB", nx: 2, ny: 2, x0: 10, y0: 20, step: 5, offset: 40, scale: 0.01, min: 40, max: 140 };
  const buffer = message("RWM1", header, Uint16Array.of(0, 1, 2, 10002).buffer);
  const map = decodeRaster(buffer);
  assert.deepEqual(
    [...map.cells].map((q) => cellValue(map, q)),
    [NaN, Infinity, 40, 140],
  );
  assert.equal(cellAt(map, 16, 26), 10002);
  assert.equal(cellAt(map, 9.9, 26), 0);
  assert.deepEqual(percentiles(map, [0, 1]), [40, 140]);
  assert.throws(() => decodeRaster(buffer.slice(0, buffer.byteLength - 2)), /cut off/);
  assert.throws(() => decodeGeometry(buffer), /RWM1/);
});

test("units", () => {
  assert.equal(parseQuantity("947MHz"), 947e6);
  assert.equal(parseQuantity(" 2,5 GHz"), 2.5e9);
  assert.ok(Math.abs(parseQuantity("20W") - 43.01) < 0.01);
  assert.equal(parseQuantity("−90dBm"), -90);
  assert.ok(Number.isNaN(parseQuantity("ten")));
  assert.equal(formatFrequency(3.5e9), "3.5GHz");
  assert.deepEqual(ticks(60, 160, 5), [60, 80, 100, 120, 140, 160]);
  assert.deepEqual(ticks(-10, 10, 5), [-10, -5, 0, 5, 10]);
  assert.deepEqual(ticks(-20, 20, 5), [-20, -10, 0, 10, 20]);
  assert.equal(roundStep(370), 200);
});

test("sites: what is written is read again, with columns that the page has no field for", () => {
  const text = 'Name;x_m;y_m;height;azimuth;tilt;power;antenna;freq_mhz;etilt\n"west; a";10,5;20;30;60;2;20W;3gpp;1800;6\n# a note\n\nB;1;2;3;;;;;;\n';
  const sites = sitesFromCsv(text);
  assert.equal(sites.length, 2);
  assert.deepEqual([sites[0].name, sites[0].x, sites[0].freqHz, sites[0].rest], ["west; a", 10.5, 1.8e9, { etilt: "6" }]);
  assert.deepEqual([sites[1].powerDbm, sites[1].antenna, sites[1].freqHz], [30, "isotropic", null]);
  const again = sitesFromCsv(sitesToCsv(sites));
  assert.ok(Math.abs(again[0].powerDbm - sites[0].powerDbm) < 1e-3);
  assert.deepEqual({ ...again[0], powerDbm: 0 }, { ...sites[0], powerDbm: 0 });
  assert.throws(() => sitesFromCsv("name,x,y\na,1,2\n"), /no column "height"/);
  assert.throws(() => sitesFromCsv("name,x,y,height\na,1,2,tall\n"), /line 2.*tall/);
  assert.ok(isLonLat("name,lon,lat,height\n"));
  assert.deepEqual(parseCsv('a,"b ""c""\nd"\n'), [["a", 'b "c"\nd']]);
});

test("sectors of a mast stand together; names are free", () => {
  const sites = [newSite("a", 1, 2, 3), newSite("b", 5, 2, 3), newSite("a 2", 1, 2, 4)];
  assert.deepEqual(groupByPlace(sites), [[0, 2], [1]]);
  assert.equal(freeName(sites, "a"), "a 3");
});

test("project: the page's state is the project file", () => {
  const project = emptyProject("city.gpkg");
  project.sites = [{ ...newSite("a", 1, 2, 3), freqHz: 2e9 }];
  project.options = { shadow: { order: "3", effects: "roofs,walls" }, rt: { depth: "2" } };
  project.layer = "power";
  const view = { x: 1, y: 2, span: 300, tilt: 45, turn: 10 };
  const json = JSON.parse(JSON.stringify(toJson(project, view)));
  assert.equal(json["order"], "3");
  assert.equal(json["depth"], undefined);
  const read = fromJson(json);
  assert.deepEqual(read, { project, view });
  const hand = fromJson({ command: "predict", scene: "c", tx: ["1,2,3,west", "4,5,6"], freq: "2GHz", layers: ["power", "best"], level: "-80dBm", order: 4 });
  assert.deepEqual(
    hand.project.sites.map((s) => [s.name, s.x, s.height]),
    [
      ["west", 1, 3],
      ["tx2", 4, 6],
    ],
  );
  assert.deepEqual([hand.project.layer, hand.project.level, hand.project.options], ["power", -80, { shadow: { order: "4" } }]);
});

test("undo: a drag is one step", () => {
  let now = 0;
  const store = new Store({ ...emptyProject("s"), sites: [newSite("a", 0, 0, 1)] }, () => now);
  for (let x = 1; x <= 5; x++)
    store.change({ label: "move a", key: "move 0", live: true }, (p) => {
      p.sites[0].x = x;
    });
  store.settle();
  store.change({ label: "move a", key: "move 0" }, (p) => {
    p.sites[0].x = 9;
  });
  assert.equal(store.undoLabel, "move a");
  store.undo();
  assert.equal(store.project.sites[0].x, 5);
  store.undo();
  assert.equal(store.project.sites[0].x, 0);
  assert.equal(store.undoLabel, null);
  store.redo();
  assert.equal(store.project.sites[0].x, 5);
  now = 1e6;
  store.change({ label: "b", key: "move 0" }, (p) => {
    p.sites[0].x = 1;
  });
  assert.equal(store.redoLabel, null);
});

test("predictor: one request in flight, the newest wins, coarse then fine", async () => {
  const asked: { step: number; answer: (r: Raster) => void; signal: AbortSignal }[] = [];
  const shown: Answer[] = [];
  let state = "";
  let clock = 0;
  const predictor = new Predictor(
    {
      ask: (step, _window, signal) =>
        new Promise((answer, refuse) => {
          asked.push({ step, answer, signal });
          signal.addEventListener("abort", () => refuse(new Error("aborted")));
        }),
      show: (answer) => shown.push(answer),
      fail: (error) => assert.fail(String(error)),
      busy: (now) => {
        state = now;
      },
    },
    () => clock++,
    0,
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const want = (key: string, live: boolean): void => predictor.want({ key, fineStep: 5, coarseStep: 20, live });
  want("1", true);
  want("2", true);
  want("3", true);
  assert.equal(asked.length, 1);
  asked[0].answer(raster(1, 1, [2]));
  await turn();
  assert.deepEqual(
    asked.map((a) => a.step),
    [20, 20],
  );
  asked[1].answer(raster(1, 1, [2]));
  await turn();
  assert.equal(state, "idle");
  want("3", false);
  await turn();
  assert.equal(asked[2].step, 5);
  want("4", true);
  await turn();
  assert.ok(asked[2].signal.aborted, "the fine map is given up for the next move");
  assert.equal(asked[3].step, 20);
  asked[3].answer(raster(1, 1, [2]));
  await turn();
  want("4", false);
  await turn();
  asked[4].answer(raster(1, 1, [2]));
  await turn();
  assert.deepEqual(
    shown.map((a) => [a.key, a.fine]),
    [
      ["1", false],
      ["3", false],
      ["4", false],
      ["4", true],
    ],
  );
  // Let go at a place that has no coarse map: the fine one comes at once, and the coarse one under way is given up.
  want("5", true);
  want("6", false);
  await turn();
  assert.ok(asked[5].signal.aborted);
  assert.deepEqual(
    asked.slice(5).map((a) => a.step),
    [20, 5],
  );
  asked[6].answer(raster(1, 1, [2]));
  await turn();
  // A change without a hand on it has a coarse map first.
  want("7", false);
  await turn();
  assert.equal(asked[7].step, 20);
});

test("predictor: in a large city the window in coarse cells, then in fine ones, then the whole", async () => {
  const asked: [number, boolean][] = [];
  let fine = 0;
  const predictor = new Predictor(
    {
      ask: (step, window) => {
        asked.push([step, window]);
        return Promise.resolve(raster(1, 1, [2]));
      },
      show: (answer) => (fine += answer.fine ? 1 : 0),
      fail: (error) => assert.fail(String(error)),
      busy: () => undefined,
    },
    undefined,
    0,
  );
  const end = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  predictor.want({ key: "1", fineStep: 5, coarseStep: 20, live: false, previews: true });
  await end();
  assert.deepEqual(
    [asked, fine],
    [
      [
        [20, true],
        [5, true],
        [5, false],
      ],
      1,
    ],
  );
  predictor.want({ key: "2", fineStep: 5, coarseStep: 20, live: true, previews: true });
  await end();
  assert.deepEqual(asked.slice(3), [[20, true]]);
  predictor.want({ key: "3", fineStep: 50, coarseStep: 50, live: false, previews: true });
  await end();
  assert.deepEqual(asked.slice(4), [
    [50, true],
    [50, false],
  ]);
});

test("predictor: one slow map does not end the following, two in a row do", async () => {
  const answers: ((r: Raster) => void)[] = [];
  let clock = 0;
  const predictor = new Predictor(
    {
      ask: () =>
        new Promise((answer) => {
          answers.push(answer);
        }),
      show: () => undefined,
      fail: (error) => assert.fail(String(error)),
      busy: () => undefined,
    },
    () => clock,
    0,
  );
  const follow = async (key: string, milliseconds: number): Promise<void> => {
    predictor.want({ key, fineStep: 5, coarseStep: 20, live: true });
    clock += milliseconds;
    answers.at(-1)?.(raster(1, 1, [2]));
    await new Promise((resolve) => setImmediate(resolve));
  };
  await follow("1", 9000);
  await follow("2", 50);
  await follow("3", 9000);
  await follow("4", 9000);
  assert.equal(answers.length, 4);
  await follow("5", 50);
  assert.equal(answers.length, 4, "too slow to follow a hand");
  predictor.reset();
  await follow("6", 50);
  assert.equal(answers.length, 5);
});

test("predictor: a server that does not answer is asked again, and an answer that it refuses is not", async () => {
  let reachable = false;
  let calls = 0;
  const shown: string[] = [];
  const failures: number[] = [];
  const predictor = new Predictor(
    {
      ask: async () => {
        calls++;
        if (!reachable) throw Object.assign(new Error("no answer"), { status: 0 });
        return raster(1, 1, [2]);
      },
      show: (answer) => shown.push(answer.key),
      fail: (error) => failures.push((error as { status: number }).status),
      busy: () => undefined,
    },
    () => 0,
    0,
    5,
  );
  const want = (key: string, live: boolean): void => predictor.want({ key, fineStep: 5, coarseStep: 5, live });
  want("1", true);
  want("2", true);
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.ok(calls >= 3 && failures.every((status) => status === 0), `${calls} calls`);
  assert.deepEqual(shown, []);
  reachable = true;
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.deepEqual(shown, ["2"], "what was wanted last is shown when the server is back");
  const before = calls;
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(calls, before);
});

test("predictor: a coarse map of before that takes long is given up, without a further change", async () => {
  const asked: { signal: AbortSignal; answer: (r: Raster) => void }[] = [];
  const predictor = new Predictor(
    {
      ask: (_step, _window, signal) =>
        new Promise((answer, refuse) => {
          asked.push({ signal, answer });
          signal.addEventListener("abort", () => refuse(new Error("aborted")));
        }),
      show: () => undefined,
      fail: (error) => assert.fail(String(error)),
      busy: () => undefined,
    },
    () => performance.now(),
    0,
    1000,
    60,
  );
  const want = (key: string): void => predictor.want({ key, fineStep: 5, coarseStep: 20, live: false });
  want("slow model");
  want("quick model");
  assert.equal(asked[0].signal.aborted, false, "a moment for a map that is nearly there");
  for (let i = 0; asked.length < 2 && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual([asked.length, asked[0].signal.aborted], [2, true]);
  asked[1].answer(raster(1, 1, [2]));
});

test("events of a drag that come too fast: the newest counts, and none comes after the end", async () => {
  let now = 0;
  const seen: number[] = [];
  const pace = new Pace(
    () => 20,
    () => now,
  );
  for (let i = 0; i < 5; i++) pace.run(() => seen.push(i));
  assert.deepEqual(seen, [0]);
  now = 20;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(seen, [0, 4]);
  pace.run(() => seen.push(5));
  pace.drop();
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(seen, [0, 4]);
  const free = new Pace(
    () => 0,
    () => now,
  );
  for (let i = 6; i < 9; i++) free.run(() => seen.push(i));
  assert.deepEqual(seen, [0, 4, 6, 7, 8]);
});

test("errors, histogram, Fresnel zone", () => {
  const figures = errorFigures([1, 2, 3, 4].map((m, i) => ({ x: 0, y: 0, measured: m, predicted: m - (i % 2 ? 3 : 1) })));
  assert.deepEqual([figures.count, figures.mean, figures.deviation, figures.median, figures.absolute90], [4, 2, Math.sqrt(4 / 3), 2, 3]);
  assert.equal(errorFigures([{ x: 0, y: 0, measured: 1, predicted: null }]).count, 0);
  assert.deepEqual(histogram([-1, 0.5, 3.9], 2), [
    { from: -2, count: 1 },
    { from: 0, count: 1 },
    { from: 2, count: 1 },
  ]);
  assert.ok(Math.abs(fresnelRadius(500, 500, 299792458) - Math.sqrt(250)) < 1e-9);
  const profile = { distance_m: [0, 50, 100], ground_m: [0, 0, 0], top_m: [0, 12, 0], tx_m: 10, rx_m: 10, freq_hz: 299792458 };
  assert.ok(profileLines(profile).clearance < 0);
  assert.ok(Math.abs(profileLines({ ...profile, top_m: [0, 0, 0] }).clearance - 2) < 1e-9);
});

test("coverage: cells, streets and buildings", () => {
  const geometry = houses();
  const grid = raster(10, 6, new Array(60).fill(0));
  const buildings = buildingCells(geometry, [0, 0], grid);
  assert.equal(buildings[0], 1);
  assert.equal(buildings[2 * 10 + 2], 0, "the court is no building");
  assert.equal(buildings[8], 2);
  assert.equal(buildings.filter((b) => b === 1).length, 32);
  const at = (level: number): number => 2 + (level + 200) / 0.5;
  const outdoors = { ...grid, cells: Uint16Array.from(buildings, (b, i) => (b ? 0 : i < 20 ? at(-80) : at(-100))) };
  const indoors = { ...grid, cells: Uint16Array.from(buildings, (b) => (b === 1 ? at(-85) : at(-120))) };
  const shares = coverageShares(outdoors, indoors, buildings, -90);
  const streets = outdoors.cells.filter((q) => q > 0).length;
  const good = outdoors.cells.filter((q) => q === at(-80)).length;
  assert.deepEqual(shares, { area: (100 * good) / 60, streets: (100 * good) / streets, buildings: 50 });
});

test("solids: walls, roofs with courts, free-standing walls", () => {
  const geometry = houses();
  const info = {
    name: "",
    crs: "",
    lonlat: false,
    bounds: { x0: 0, y0: 0, x1: 10, y1: 8, zmin: 0, zmax: 10 },
    origin: [0, 0] as [number, number],
    buildings: 2,
    terrain: false,
  };
  const solids = buildSolids(geometry, new Frame(info, geometry));
  // 12 walls of two triangles, a roof of 8 triangles with its court, a roof of 2, a free wall of 2.
  assert.equal(solids.triangles.length / 3, 24 + 8 + 2 + 2);
  assert.equal(Math.max(...solids.triangles) + 1, solids.above.length);
  assert.equal(Math.max(...solids.above), 10);
});

test("camera: panning and zooming hold the ground under the cursor", () => {
  const camera = new MapCamera();
  camera.extent = 1000;
  camera.resize(800, 600);
  for (const tilt of [0, 50]) {
    camera.set({ x: 0, y: 0, span: 500, tilt, turn: 30 });
    const before = camera.onPlane(300, 400, 0);
    camera.zoom(2, 300, 400);
    const after = camera.onPlane(300, 400, 0);
    assert.ok(before && after && before.distanceTo(after) < 0.5, `tilt ${tilt}`);
    camera.pan(300, 400, 420, 330);
    const moved = camera.onPlane(420, 330, 0);
    assert.ok(moved && before.distanceTo(moved) < 1, `tilt ${tilt}`);
    assert.ok(camera.toPixel(moved)?.every((p, i) => Math.abs(p - [420, 330][i]) < 0.5));
  }
});

test("colour scales read in grey: lightness rises steadily", () => {
  const grey = ([r, g, b]: Rgb): number => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  for (const map of colourMaps) for (let i = 1; i <= 20; i++) assert.ok(grey(map.at(i / 20)) > grey(map.at((i - 1) / 20)), `${map.name} at ${i}`);
  assert.ok(grey(twoSided.at(0.5)) > 4 * grey(twoSided.at(0)) && grey(twoSided.at(0.5)) > 3 * grey(twoSided.at(1)));
  assert.deepEqual([...colourTable(colourMaps[0], false).slice(0, 3)], colourMaps[0].at(0));
  // Classes differ for those who see no red or no green: by blue-yellow or by lightness.
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [classColour(i), classColour(j)];
      const apart = Math.abs(0.5 * (a[0] + a[1]) - 0.5 * (b[0] + b[1])) + Math.abs(a[2] - b[2]);
      assert.ok(apart > 30, `classes ${j} and ${i} are ${apart} apart`);
    }
});

test("values on tiles from a PLY file", () => {
  const head =
    "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face 1\nproperty list uchar uint vertex_indices\nproperty uchar kind\nproperty float path_loss\nend_header\n";
  const body = new DataView(new ArrayBuffer(3 * 25 + 1 + 12 + 1 + 4));
  [0, 0, 0, 4, 0, 0, 4, 0, 7].forEach((value, i) => body.setFloat64(Math.floor(i / 3) * 25 + (i % 3) * 8, value, true));
  body.setUint8(75, 3);
  [0, 1, 2].forEach((value, i) => body.setUint32(76 + 4 * i, value, true));
  body.setFloat32(89, 91.5, true);
  const bytes = new Uint8Array(head.length + body.byteLength);
  bytes.set(new TextEncoder().encode(head));
  bytes.set(new Uint8Array(body.buffer), head.length);
  const tiles = readPly(bytes.buffer);
  assert.deepEqual([[...tiles.vertices.slice(6)], tiles.faces, tiles.values["path_loss"][0]], [[4, 0, 7], [[0, 1, 2]], 91.5]);
});

test("tiles of a backdrop: numbers of the grid and back", () => {
  // The tile of 48.1374° N, 11.5755° E at zoom 16, by the formula of the grid.
  assert.deepEqual([Math.floor(tileX(11.5755, 16)), Math.floor(tileY(48.1374, 16))], [34875, 22743]);
  assert.ok(Math.abs(latOf(tileY(48.1374, 16), 16) - 48.1374) < 1e-9 && Math.abs(lonOf(tileX(11.5755, 16), 16) - 11.5755) < 1e-9);
  const range = tilesOf([
    [11.55, 48.12],
    [11.6, 48.15],
  ]);
  assert.ok(range.columns <= 8 && range.rows <= 8 && (range.columns > 4 || range.rows > 4));
  assert.ok(lonOf(range.x, range.zoom) <= 11.55 && lonOf(range.x + range.columns, range.zoom) >= 11.6);
  assert.ok(latOf(range.y, range.zoom) >= 48.15 && latOf(range.y + range.rows, range.zoom) <= 48.12);
});

test("a map as colours: codes, levels, grey cells, and neighbours of cells without a value", () => {
  const table = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) table.set([i, 0, 255 - i, 255], 4 * i);
  const raster = {
    layer: "power",
    unit: "dBm",
    nx: 3,
    ny: 1,
    x0: 0,
    y0: 0,
    step: 1,
    offset: -100,
    scale: 0.5,
    min: -100,
    max: 0,
    cells: Uint16Array.from([2, 0, 1]),
  };
  const look = { table, range: [-100, -50] as [number, number], classes: 0, firstClass: 0 };
  const plain = paintMap(raster, look, null, [10, 20, 30]);
  assert.deepEqual([...plain.slice(0, 4)], [0, 0, 255, 255]);
  assert.deepEqual([...plain.slice(4, 8)], [0, 0, 255, 255], "the neighbour in the west");
  assert.equal(plain[11], 128, "no path");
  const weak = weakCells(raster, raster, -99.9);
  assert.deepEqual([...weak], [1, 0, 1]);
  const grey = paintMap(raster, look, weak, [100, 100, 100]);
  assert.deepEqual([...grey.slice(0, 3)], [82, 82, Math.round(0.18 * 255 + 82)]);
  assert.deepEqual(
    [-101, -100, -75, -50, 0].map((value) => colourIndex(value, look)),
    [0, 0, 128, 255, 255],
  );
  assert.deepEqual(
    [-80, -75, -60].map((value) => colourIndex(value, { ...look, steps: [-75, -65] })),
    [0, 128, 255],
  );
  const kept = { ...raster, cells: Uint16Array.from([6, 6, 6]) };
  assert.deepEqual(differenceFigures(raster, kept), { count: 1, mean: -2, deviation: NaN });
  assert.equal(paintDifference(raster, kept, 2, table)[0], 0);
});

test("a line of sight hits the roof or the facade in front, not the ground behind", () => {
  const square = (x: number, y: number, size: number): number[] => [x, y, x + size, y, x + size, y + size, x, y + size];
  const geometry = {
    ringStart: Uint32Array.from([0, 4, 8]),
    ringXy: Float32Array.from([...square(0, 0, 10), ...square(50, 0, 10)]),
    partOfRing: Uint32Array.from([0, 1]),
    base: Float32Array.from([0, 0]),
    roof: Float32Array.from([90, 10]),
    building: Uint32Array.from([0, 1]),
    meshVertices: new Float32Array(0),
    meshTriangles: new Uint32Array(0),
    panels: new Float32Array(0),
    terrain: null,
  };
  const frame = new Frame(
    { name: "", crs: "", lonlat: false, bounds: { x0: 0, y0: 0, x1: 100, y1: 100, zmin: 0, zmax: 90 }, origin: [0, 0], buildings: 2, terrain: false },
    geometry,
  );
  const picker = new Picker(geometry, frame);
  const at = (x: number, y: number): [number, number] => frame.toView(x, y);
  const ray = (from: [number, number, number], to: [number, number, number]) => {
    const origin = new Vector3(...at(from[0], from[1]), from[2]);
    return { origin, direction: new Vector3(...at(to[0], to[1]), to[2]).sub(origin).normalize() };
  };
  const roof = picker.hit(ray([-200, 5, 300], [5, 5, 90]), Infinity);
  assert.deepEqual([roof?.kind, Math.round(roof?.point.z ?? 0), roof?.height], ["roof", 90, 90]);
  const facade = picker.hit(ray([-200, 5, 60], [5, 5, 40]), Infinity);
  assert.deepEqual([facade?.kind, Math.round((facade?.point.x ?? 0) - at(0, 0)[0])], ["facade", 0]);
  assert.equal(picker.hit(ray([30, 5, 300], [30, 50, 0]), Infinity), null);
  assert.equal(picker.hit(ray([-200, 5, 300], [5, 5, 90]), Infinity, 20), null, "cut away");
});

test("a ZIP archive has the sums of its files, a KML escapes names", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  const bytes = zip([{ name: "doc.kml", bytes: new TextEncoder().encode("<kml/>") }]);
  const view = new DataView(bytes.buffer);
  assert.equal(view.getUint32(0, true), 0x04034b50);
  assert.equal(view.getUint32(bytes.length - 22, true), 0x06054b50);
  assert.equal(view.getUint32(bytes.length - 6, true), 30 + 7 + 6, "where the list begins");
  const kml = groundKml({
    title: "a & b",
    description: "<x>",
    picture: "map.png",
    corners: [
      [11, 48],
      [12, 48],
      [12, 49],
      [11, 49],
    ],
    sites: [{ name: '"s"', description: "", lon: 11.5, lat: 48.5 }],
  });
  assert.match(kml, /<name>a &amp; b<\/name>.*&lt;x&gt;.*11\.00000000,48\.00000000 12.*&quot;s&quot;/s);
});

test("projects in addresses", () => {
  assert.deepEqual(["#project=a-1", "#x&project=b", "#project=A", "", "#project=../x"].map(idOfAddress), ["a-1", "b", null, null, null]);
  assert.match(newProjectId(new Date("2026-01-02T03:04:05Z")), /^2026-01-02-[0-9a-f]{6}$/);
});

test("the server says what a layer is", () => {
  registerLayers([
    { name: "sinr", title: "SINR", unit: "dB", per_transmitter: false, better: "higher" },
    { name: "path_loss", title: "Loss", unit: "dB", per_transmitter: true, better: "lower" },
    { name: "mechanism", unit: "", better: "neither", classes: ["in sight", "other"] },
  ]);
  assert.ok(isJoint("sinr"));
  assert.ok(!isJoint("path_loss") && !isJoint("unknown") && !isJoint("best"));
  assert.deepEqual(layerStyle("path_loss", []), { title: "Loss", unit: "dB", range: [60, 160], lowIsGood: true, classes: null, levels: null });
  assert.deepEqual(layerStyle("mechanism", []).classes, ["in sight", "other"]);
  assert.deepEqual(layerStyle("best", ["a", "b"]).classes, ["a", "b"]);
  assert.equal(layerStyle("not_registered", []).title, "not registered");
});
