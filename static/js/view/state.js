// The state of view/: what the page draws of the table, and what the next frame must draw. Only
// view/ writes it. Others call the functions below, and may read `camera`, `order`, `piles`,
// `tints`, `shown`, `boards` and `drawn`.

import { Order } from './order.js';
import { Piles } from './piles.js';
import { Tints } from './rules.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * What is drawn of a piece. Only view/ writes it.
 * @typedef {object} Shown
 * @property {number} id
 * @property {HTMLElement} el
 * @property {HTMLImageElement|null} img
 * @property {number} kind -1 before the first drawing
 * @property {import('./catalog.js').Kind|null} as the kind as it was drawn last
 * @property {string} art
 * @property {number} w width without a turn, in px at scale 1
 * @property {number} h
 * @property {boolean} heavy
 * @property {number} x as drawn now, in units
 * @property {number} y
 * @property {number} angle as drawn now, in hundredths of a degree; while it turns it may be
 *   outside 0 to 35999
 * @property {boolean} inOverlay whether it is in the overlay, or is promoted, and a transform moves
 *   it
 * @property {Animation|null} paused of motion, while it is over
 * @property {import('./animate.js').Slide|null} slide
 * @property {import('./animate.js').Flip|null} flip
 * @property {boolean} lifted whether this client holds it
 * @property {string} held class for the colour of its holder, or ''
 * @property {string} lit class for the direction of its shadow, or ''
 * @property {Piece|null} before the piece as it was drawn last
 * @property {string} marks what drawMarks drew last
 * @property {string} label
 * @property {number} height number of pieces in the pile of which it is the top
 */

/**
 * @typedef {object} View
 * @property {import('./geometry.js').Camera} camera what the window shows of the table
 * @property {Order<Piece>} order of the pieces, from the bottom to the top
 * @property {Piles} piles
 * @property {Tints} tints
 * @property {Map<number, Shown>} shown the drawn pieces
 * @property {Set<number>} boards the drawn pieces that have a grid
 * @property {Set<number>} zones the drawn zones (T86)
 * @property {number} drawn how often pieces have been drawn. As long as it stays, neither they nor
 *   what is drawn of them has changed.
 * @property {Set<number>} dirty pieces to draw in the next frame
 * @property {boolean} dirtyAll whether to draw everything, without motion
 * @property {boolean} dirtyCamera whether the camera has changed
 * @property {Map<number, number>} pace duration of the next motion of a piece, in ms; missing: the
 *   usual one
 * @property {Set<number>} shuffling cards that will be shown going aside and back
 * @property {Set<Shown>} moving pieces in motion
 * @property {Map<Shown, number>} lingering pieces at rest that are still in the overlay, and since
 *   when, performance.now()
 * @property {Array<(now: number) => boolean>} frames called once a frame, see eachFrame
 */

/**
 * @param {import('../types.js').Sync} sync
 * @returns {View}
 */
export function createView(sync) {
  return {
    camera: {
      width: 12000, height: 9000, scale: 1, turn: 0,
      left: 0, top: 0, w: 0, h: 0, sx: 0, sy: 0, live: null,
    },
    order: new Order((piece) => sync.layer(piece)),
    piles: new Piles(),
    tints: new Tints(document),
    shown: new Map(),
    boards: new Set(),
    zones: new Set(),
    drawn: 0,
    dirty: new Set(),
    dirtyAll: false,
    dirtyCamera: true,
    pace: new Map(),
    shuffling: new Set(),
    moving: new Set(),
    lingering: new Map(),
    frames: [],
  };
}

/** Marks a piece to be drawn in the next frame. @param {State} s @param {number} id */
export function invalidate(s, id) {
  s.view.dirty.add(id);
}

/** Marks everything to be drawn in the next frame, without motion. @param {State} s */
export function invalidateAll(s) {
  s.view.dirtyAll = true;
}

/**
 * Sets how long the next motion of a piece takes.
 * @param {State} s
 * @param {number} id
 * @param {number} ms
 */
export function setPace(s, id, ms) {
  s.view.pace.set(id, ms);
}

/** Shows a card going aside and back in the next frame. @param {State} s @param {number} id */
export function showShuffle(s, id) {
  s.view.shuffling.add(id);
  s.view.dirty.add(id);
}

/**
 * Calls a function once a frame, with performance.now(). It returns whether it needs another frame.
 * @param {State} s
 * @param {(now: number) => boolean} step
 */
export function eachFrame(s, step) {
  s.view.frames.push(step);
}

/**
 * A piece has another identifier (T21). Its element stays, so the change is invisible.
 * @param {State} s
 * @param {number} from
 * @param {number} to
 */
export function renameDrawn({ view }, from, to) {
  for (const set of [view.dirty, view.shuffling]) if (set.delete(from)) set.add(to);
  const pace = view.pace.get(from);
  if (view.pace.delete(from) && pace !== undefined) view.pace.set(to, pace);
  view.order.rename(from, to);
  const lying = view.piles.pieces.get(from);
  if (lying) {
    view.piles.take(from);
    view.piles.put({ ...lying, id: to });
  }
  const p = view.shown.get(from);
  if (!p) return;
  view.shown.delete(from);
  view.shown.set(to, p);
  p.id = to;
  p.el.setAttribute('data-piece', String(to)); // now: a press before the next frame needs it
  view.dirty.add(to);
}
