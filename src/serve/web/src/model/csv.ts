// Maps as tables.
import { cellValue, NO_RECEIVER, type Raster } from "./binary";

/** The cells of a map: their centres, and their values in the layer's unit; none where no path arrives. */
export function mapCsv(raster: Raster): string {
  const lines = [`x,y,${raster.layer}`];
  raster.cells.forEach((q, i) => {
    if (q === NO_RECEIVER) return;
    const value = cellValue(raster, q);
    const x = raster.x0 + ((i % raster.nx) + 0.5) * raster.step;
    const y = raster.y0 + (Math.floor(i / raster.nx) + 0.5) * raster.step;
    lines.push(`${Number(x.toFixed(3))},${Number(y.toFixed(3))},${Number.isFinite(value) ? Number(value.toFixed(4)) : ""}`);
  });
  return `${lines.join("\n")}\n`;
}
