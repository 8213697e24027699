// Converts between table units (0.1 mm, origin in the middle of the table), pixels of the scrolled
// content, and pixels of the window. Pure arithmetic; no DOM.

/** Table units in a millimetre. At scale 1 a millimetre is one CSS pixel. */
export const UNITS = 10;

/**
 * How the window shows the table.
 * @typedef {object} Camera
 * @property {number} width width of the table, in units
 * @property {number} height
 * @property {number} scale CSS pixels per millimetre, without the current gesture
 * @property {0|90|180|270} turn degrees by which the whole table is turned, clockwise
 * @property {number} left distance of the window from the left edge of the page, in px
 * @property {number} top
 * @property {number} w width of the window, in px
 * @property {number} h
 * @property {number} sx scroll position, in px
 * @property {number} sy
 * @property {Live|null} live the current gesture, applied on top of the settled view
 */

/**
 * A zoom that has not settled. The content is drawn scaled by `factor` about the corner of the
 * table, and shifted by (x, y).
 * @typedef {{factor: number, x: number, y: number}} Live
 */

/** @typedef {{x: number, y: number}} Point */

/**
 * Turns a vector clockwise, as seen on a screen.
 * @param {number} x @param {number} y @param {number} degrees
 * @returns {Point}
 */
export function turned(x, y, degrees) {
  switch (((degrees % 360) + 360) % 360) {
    case 0:
      return { x, y };
    case 90:
      return { x: -y, y: x };
    case 180:
      return { x: -x, y: -y };
    case 270:
      return { x: y, y: -x };
  }
  const a = (degrees * Math.PI) / 180;
  const c = Math.cos(a);
  const s = Math.sin(a);
  return { x: x * c - y * s, y: x * s + y * c };
}

/**
 * Returns the space around the table that can be scrolled to, in px. It lets every corner be
 * scrolled to the middle of the window.
 * @param {Camera} camera
 */
export function padding(camera) {
  return { x: Math.round(camera.w / 2), y: Math.round(camera.h / 2) };
}

/**
 * Returns the size of the turned table on the screen at a scale, in px.
 * @param {Camera} camera
 * @param {number} [scale]
 */
export function extent(camera, scale = camera.scale) {
  const w = (camera.width / UNITS) * scale;
  const h = (camera.height / UNITS) * scale;
  return camera.turn % 180 === 0 ? { w, h } : { w: h, h: w };
}

/**
 * Returns the place of a table point in the scrolled content, in the settled camera.
 * @param {Camera} camera
 * @param {Point} p in units
 * @returns {Point} px
 */
export function toContent(camera, p) {
  const pad = padding(camera);
  const size = extent(camera);
  const v = turned(p.x / UNITS, p.y / UNITS, camera.turn);
  return { x: pad.x + size.w / 2 + v.x * camera.scale, y: pad.y + size.h / 2 + v.y * camera.scale };
}

/**
 * Returns the place of a table point in the page as it is drawn now, including the current gesture.
 * @param {Camera} camera
 * @param {Point} p in units
 * @returns {Point} px
 */
export function toPage(camera, p) {
  let { x, y } = toContent(camera, p);
  if (camera.live) {
    const pad = padding(camera);
    x = pad.x + (x - pad.x) * camera.live.factor + camera.live.x;
    y = pad.y + (y - pad.y) * camera.live.factor + camera.live.y;
  }
  return { x: x - camera.sx + camera.left, y: y - camera.sy + camera.top };
}

/**
 * Returns the table point under a point of the page.
 * @param {Camera} camera
 * @param {number} px
 * @param {number} py
 * @returns {Point} in units, not rounded
 */
export function toTable(camera, px, py) {
  const pad = padding(camera);
  const size = extent(camera);
  let x = px - camera.left + camera.sx;
  let y = py - camera.top + camera.sy;
  if (camera.live) {
    x = pad.x + (x - camera.live.x - pad.x) / camera.live.factor;
    y = pad.y + (y - camera.live.y - pad.y) / camera.live.factor;
  }
  const v = turned(
    (x - pad.x - size.w / 2) / camera.scale,
    (y - pad.y - size.h / 2) / camera.scale,
    -camera.turn,
  );
  return { x: v.x * UNITS, y: v.y * UNITS };
}

/**
 * Returns the scroll position that puts table point p at page point (px, py) once the view has that
 * scale. It stays within what can be scrolled to.
 * @param {Camera} camera
 * @param {Point} p
 * @param {number} px
 * @param {number} py
 * @param {number} scale
 */
export function scrollFor(camera, p, px, py, scale) {
  const pad = padding(camera);
  const size = extent(camera, scale);
  const v = turned(p.x / UNITS, p.y / UNITS, camera.turn);
  const x = pad.x + size.w / 2 + v.x * scale - (px - camera.left);
  const y = pad.y + size.h / 2 + v.y * scale - (py - camera.top);
  return {
    x: clamp(x, 0, size.w + 2 * pad.x - camera.w),
    y: clamp(y, 0, size.h + 2 * pad.y - camera.h),
  };
}

/** Returns the middle of some points, not rounded. @param {Point[]} points @returns {Point} */
export function middleOf(points) {
  const n = points.length;
  return {
    x: points.reduce((sum, p) => sum + p.x, 0) / n,
    y: points.reduce((sum, p) => sum + p.y, 0) / n,
  };
}

/** @param {number} v @param {number} lo @param {number} hi */
export function clamp(v, lo, hi) {
  return Math.min(Math.max(v, lo), Math.max(lo, hi));
}

/** Reduces an angle in hundredths of a degree to 0–35999. @param {number} angle */
export function normalAngle(angle) {
  return ((Math.round(angle) % 36000) + 36000) % 36000;
}

/**
 * Returns the next multiple of `step` after `angle`, in the direction of the sign of `step`. Both
 * are in hundredths of a degree.
 * @param {number} angle
 * @param {number} step
 */
export function nextAngle(angle, step) {
  const size = Math.abs(step);
  const n = step > 0 ? Math.floor(angle / size) + 1 : Math.ceil(angle / size) - 1;
  return normalAngle(n * size);
}

/**
 * Returns the size of the box around a turned rectangle.
 * @param {number} w
 * @param {number} h
 * @param {number} angle in hundredths of a degree
 */
export function boundsOf(w, h, angle) {
  const a = (angle * Math.PI) / 18000;
  const c = Math.abs(Math.cos(a));
  const s = Math.abs(Math.sin(a));
  return { w: w * c + h * s, h: w * s + h * c };
}
