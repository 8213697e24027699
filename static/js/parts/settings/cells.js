// The cells of a grid on the table (docs/protocol/component.md, C14): the places of their centres,
// and the drawing of their edges. A corner of a square, or the centre of a hexagon, lies at (x, y).
// Hexagons have a side towards x. Pure arithmetic; no DOM.

/** @typedef {import('../components/registry.js').Grid} Grid */
/** @typedef {import('../../view/geometry.js').Point} Point */

/** The forms of a grid, by their numbers. */
export const NONE = 0;
export const SQUARES = 1;
export const HEXAGONS = 2;

/** Distance of rows of hexagons, as a part of their pitch. */
const ROW = Math.sqrt(3) / 2;

/**
 * Number of cells around a place that are searched. If the nearest ones do not lie on the table,
 * these may.
 */
const AROUND = 2;

/**
 * Returns the centre of the cell that is nearest to a place, of those cells whose centres lie on
 * the table.
 * @param {Grid} grid
 * @param {Point} at in units
 * @param {{width: number, height: number}} table
 * @returns {Point|null} in whole units; null if there is no such cell near
 */
export function nearest(grid, at, { width, height }) {
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const centre of centresAround(grid, at)) {
    const far = Math.hypot(centre.x - at.x, centre.y - at.y);
    const isOn = Math.abs(centre.x) <= width / 2 && Math.abs(centre.y) <= height / 2;
    if (!isOn || far >= least) continue;
    best = centre;
    least = far;
  }
  return best;
}

/** @param {Grid} grid @param {Point} at @returns {Iterable<Point>} */
function* centresAround(grid, at) {
  if (grid.form === NONE || grid.pitch <= 0) return;
  const high = rowOf(grid);
  const hexagons = grid.form === HEXAGONS;
  const half = hexagons ? 0 : 0.5;
  const row = Math.round((at.y - grid.y) / high - half);
  for (let j = row - AROUND; j <= row + AROUND; j++) {
    const shift = hexagons ? (j & 1) / 2 : half;
    const column = Math.round((at.x - grid.x) / grid.pitch - shift);
    for (let i = column - AROUND; i <= column + AROUND; i++) {
      yield {
        x: Math.round(grid.x + (i + shift) * grid.pitch),
        y: Math.round(grid.y + (j + half) * high),
      };
    }
  }
}

/** Returns the distance of rows, in units. @param {Grid} grid */
function rowOf({ form, pitch }) {
  return form === HEXAGONS ? pitch * ROW : pitch;
}

/**
 * Returns a tile that draws the edges of all cells when it is repeated to all sides from (x, y) on:
 * its size and a path. An edge of a cell on an edge of the tile is drawn at both sides, because
 * each tile shows half of it.
 * @param {Grid} grid
 * @returns {{width: number, height: number, path: string}} in units
 */
export function tileOf(grid) {
  const w = grid.pitch;
  if (grid.form !== HEXAGONS) return { width: w, height: w, path: `M0 0H${w}V${w}H0Z` };
  const side = w / Math.sqrt(3);
  const y = (/** @type {number} */ sides) => round(sides * side);
  const m = w / 2;
  const whole = `M${m} ${y(0.5)}L${w} ${y(1)}V${y(2)}L${m} ${y(2.5)}L0 ${y(2)}V${y(1)}Z`;
  return { width: w, height: y(3), path: `${whole}M${m} 0V${y(0.5)}M${m} ${y(2.5)}V${y(3)}` };
}

/** Rounds to thousandths. @param {number} n in units */
function round(n) {
  return Math.round(n * 1000) / 1000;
}
