// The grain of felt, wood, slate and paper: small pictures of noise, drawn once and repeated by
// CSS. The generator is seeded, so all tables have the same grain.

/**
 * Draws the grains and lays them over the surface and its frame. They are there at once and
 * together: each that comes later would make the browser draw the whole table again. So would any
 * change of what the surface inherits, if the rules named the pictures by custom properties.
 */
export function drawGrains() {
  const grain = `url("${noise(192, 192, 1).toDataURL()}")`;
  const fibre = `url("${noise(640, 160, 40).toDataURL()}")`;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `.surface::after{background-image:${grain}}` +
    `.surface[data-surface=wood]:not(.coloured)::after{background-image:${fibre}}` +
    `.surface::before{background-image:${fibre}}`,
  );
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Draws black and white noise of varying opacity, smeared into streaks. It tiles horizontally
 * without a seam.
 * @param {number} w
 * @param {number} h
 * @param {number} long length of the streaks, in pixels
 */
function noise(w, h, long) {
  const canvas = document.createElement('canvas');
  canvas.width = w;
  canvas.height = h;
  const g = canvas.getContext('2d');
  if (!g) return canvas;
  const next = randomFrom(0x9e3779b9 + long);
  const raw = Array.from({ length: w * h }, next);
  const image = g.createImageData(w, h);
  for (let y = 0; y < h; y++) {
    let sum = 0;
    for (let i = 0; i < long; i++) sum += raw[y * w + i];
    for (let x = 0; x < w; x++) {
      const v = (sum / long - 0.5) * Math.sqrt(long) * 2;
      const at = (y * w + x) * 4;
      const light = v > 0 ? 255 : 0;
      image.data[at] = image.data[at + 1] = image.data[at + 2] = light;
      image.data[at + 3] = Math.min(255, Math.abs(v) * 26);
      sum += raw[y * w + ((x + long) % w)] - raw[y * w + x];
    }
  }
  g.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Returns a generator of numbers from 0 up to but not including 1, the same for equal seeds
 * (mulberry32).
 * @param {number} seed
 */
function randomFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
