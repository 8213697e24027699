// Computes what lies in zones, and where they have room, as the server does (T86).

import { kindOf } from '../../view/catalog.js';
import { turned } from '../../view/geometry.js';
import { maskOf } from '../../input/ops.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/** Whether a piece is a zone. @param {State} s @param {Piece} piece */
export const isZone = (s, piece) => kindOf(s, piece).zone !== undefined;

/**
 * Returns where a point is, from the middle of a zone along its sides; null if it lies beside it.
 * @param {State} s
 * @param {Piece} zone
 * @param {Point} at
 * @returns {Point|null}
 */
function within(s, zone, at) {
  const { width, height } = kindOf(s, zone);
  const v = turned(at.x - zone.x, at.y - zone.y, -zone.angle / 100);
  return Math.abs(v.x) <= width / 2 && Math.abs(v.y) <= height / 2 ? v : null;
}

/** Whether a zone covers a point. @param {State} s @param {Piece} zone @param {Point} at */
export const covers = (s, zone, at) => within(s, zone, at) !== null;

/**
 * Returns how far a point lies beside a zone; 0 if the zone covers it.
 * @param {State} s
 * @param {Piece} zone
 * @param {Point} at
 */
export function distanceTo(s, zone, at) {
  const { width, height } = kindOf(s, zone);
  const v = turned(at.x - zone.x, at.y - zone.y, -zone.angle / 100);
  const beside = (/** @type {number} */ d, /** @type {number} */ size) =>
    Math.max(0, Math.abs(d) - size / 2);
  return Math.hypot(beside(v.x, width), beside(v.y, height));
}

/**
 * Returns the pieces that lie in a zone, without those that somebody holds, and one more.
 * @param {State} s
 * @param {Piece} zone
 * @param {number} [but]
 */
export function lyingIn(s, zone, but = 0) {
  return [...s.sync.pieces.values()].filter(
    (p) => p.id !== but && p.holder === 0 && liesOpen(s, p) && covers(s, zone, p),
  );
}

/** Whether a piece is light and lies in no hand. @param {State} s @param {Piece} p */
function liesOpen(s, p) {
  return kindOf(s, p).weight === 'light' && (p.owner === 0 || kindOf(s, p).seat !== undefined);
}

/**
 * Why a zone does not take a piece: 'refuses' or 'full'. '' if it takes it.
 * @param {State} s
 * @param {Piece} zone
 * @param {Piece} piece
 * @returns {''|'refuses'|'full'}
 */
export function hindranceOf(s, zone, piece) {
  const k = kindOf(s, piece);
  const of = kindOf(s, zone).zone;
  if (!of || k.weight === 'heavy' || piece.set || piece.pinned || piece.locked) return 'refuses';
  const mask = maskOf(s, piece);
  const looks = mask >= 0 ? mask : piece.kind;
  if (of.takes && !of.takes.some((name) => indexOf(s, name) === looks)) return 'refuses';
  const there = lyingIn(s, zone, piece.id);
  if (of.most && there.length >= of.most) return 'full';
  return of.lay !== 'free' && freePlaces(s, zone, piece, there) <= 0 ? 'full' : '';
}

/** The first kind of a name. @param {State} s @param {string} name */
function indexOf(s, name) {
  return s.catalog.kinds.findIndex((k) => k.name === name);
}

/**
 * @param {State} s
 * @param {Piece} zone
 * @param {Piece} piece
 * @param {Piece[]} there
 */
function freePlaces(s, zone, piece, there) {
  const { width, height, zone: of } = kindOf(s, zone);
  const { lay, gap = 1, down = gap } = of ?? {};
  if (!of || lay === 'pile') return 1;
  const k = kindOf(s, piece);
  const fit = (/** @type {number} */ room, /** @type {number} */ step) =>
    Math.floor(Math.max(room, 0) / step) + 1;
  const columns = lay === 'column' ? 1 : fit(width - k.width, gap);
  const step = lay === 'grid' ? down : gap;
  const rows = lay === 'row' ? 1 : fit(height - k.height, step);
  const taken = new Set();
  for (const p of there) {
    const at = within(s, zone, p) ?? { x: 0, y: 0 };
    const column = lay === 'column' ? 0 : Math.round(at.x / gap + (columns - 1) / 2);
    const row = lay === 'row' ? 0 : Math.round(at.y / step + (rows - 1) / 2);
    const isPlace = column >= 0 && column < columns && row >= 0 && row < rows;
    if (isPlace) taken.add(row * columns + column);
  }
  return columns * rows - taken.size;
}

/**
 * Returns where somebody puts something who only names the zone: at its beginning. The server finds
 * the nearest free place.
 * @param {State} s
 * @param {Piece} zone
 * @returns {Point}
 */
export function beginningOf(s, zone) {
  const { width, height, zone: of } = kindOf(s, zone);
  const across = of?.lay === 'row' || of?.lay === 'grid' ? 0.49 * width : 0;
  const along = of?.lay === 'column' || of?.lay === 'grid' ? 0.49 * height : 0;
  const v = turned(-across, -along, zone.angle / 100);
  const half = { x: s.view.camera.width / 2, y: s.view.camera.height / 2 };
  const clamp = (/** @type {number} */ n, /** @type {number} */ most) =>
    Math.round(Math.max(-most, Math.min(most, n)));
  return { x: clamp(zone.x + v.x, half.x), y: clamp(zone.y + v.y, half.y) };
}
