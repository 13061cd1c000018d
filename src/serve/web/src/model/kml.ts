// KML of a picture that lies on the ground of a globe, with the sites as points.

export interface GroundPicture {
  title: string;
  description: string;
  /** Name of the picture in the archive. */
  picture: string;
  /** Longitude and latitude of the corners of the map: south-west, south-east, north-east, north-west. */
  corners: [number, number][];
  sites: { name: string; description: string; lon: number; lat: number }[];
}

export function escapeXml(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return text.replace(/[&<>"']/g, (sign) => signs[sign]);
}

export function groundKml(of: GroundPicture): string {
  const corners = of.corners.map(([lon, lat]) => `${lon.toFixed(8)},${lat.toFixed(8)}`).join(" ");
  const sites = of.sites.map(
    (site) =>
      `<Placemark><name>${escapeXml(site.name)}</name><description>${escapeXml(site.description)}</description><Point><coordinates>${site.lon.toFixed(8)},${site.lat.toFixed(8)}</coordinates></Point></Placemark>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document><name>${escapeXml(of.title)}</name><description>${escapeXml(of.description)}</description>
<GroundOverlay><name>${escapeXml(of.title)}</name><color>c0ffffff</color><Icon><href>${escapeXml(of.picture)}</href></Icon>
<gx:LatLonQuad><coordinates>${corners}</coordinates></gx:LatLonQuad></GroundOverlay>
${sites.join("")}</Document></kml>
`;
}
