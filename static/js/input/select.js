// Selects pieces: by click, by frame, by pile and from below; and moves the focus by keys from one
// piece to the next.

import { isUnseen, kindOf } from '../view/catalog.js';
import { toPage, turned } from '../view/geometry.js';
import { boxOf, isFixed } from '../view/piece.js';
import { invalidate } from '../view/state.js';
import { redrawBars } from '../bars/state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */

/**
 * A selection frame that is being drawn, in coordinates of the page. `before` is the selection that
 * it adds to.
 * @typedef {{x0: number, y0: number, x1: number, y1: number, before: Set<number>}} Band
 */

/**
 * Replaces the selection.
 * @param {State} s @param {Iterable<number>} ids
 */
export function select(s, ids) {
  const next = new Set(ids);
  for (const id of s.input.selection) if (!next.has(id)) invalidate(s, id);
  for (const id of next) if (!s.input.selection.has(id)) invalidate(s, id);
  s.input.selection = next;
  redrawBars(s);
}

/** Adds a piece to the selection, or removes it. @param {State} s @param {number} id */
export function toggle(s, id) {
  const next = new Set(s.input.selection);
  if (!next.delete(id)) next.add(id);
  select(s, next);
}

/** A piece is gone. @param {State} s @param {number} id */
export function unselect(s, id) {
  if (s.input.hover === id) s.input.hover = 0;
  if (s.input.selection.has(id)) select(s, [...s.input.selection].filter((other) => other !== id));
}

/**
 * Makes a piece the one that Tab reaches, and focuses it if `now` is true.
 * @param {State} s
 * @param {number} id
 * @param {boolean} [now]
 */
export function focusOn(s, id, now = false) {
  if (s.input.focus !== id) {
    invalidate(s, s.input.focus);
    invalidate(s, id);
    s.input.focus = id;
    s.redraw();
  }
  if (now) s.view.shown.get(id)?.el.focus({ preventScroll: true });
}

/**
 * Focuses the piece that Tab reaches, if what had the focus is gone or hidden. Not for whoever uses
 * a pointer: their keys are for the piece under it.
 * @param {State} s
 */
export function refocus(s) {
  if (!s.input.byKeys || document.activeElement !== document.body) return;
  focusOn(s, s.sync.pieces.has(s.input.focus) ? s.input.focus : firstPiece(s), true);
}

/**
 * Returns the pieces that an operation is for: those carried, else those selected, else the focused
 * one, else the one under the mouse.
 * @param {State} s
 * @returns {Piece[]}
 */
export function targets(s) {
  const ids = s.input.carry
    ? s.input.carry.from.keys()
    : s.input.selection.size > 0
      ? s.input.selection
      : [focused(s) || s.input.hover];
  const found = [];
  for (const id of ids) {
    const piece = s.sync.pieces.get(id);
    if (piece) found.push(piece);
  }
  return found;
}

/** Returns the piece with the keyboard focus; 0 if none has it. @param {State} s */
export function focused(s) {
  const id = Number(document.activeElement?.getAttribute('data-piece') ?? 0);
  return s.sync.pieces.has(id) ? id : 0;
}

/** Starts a frame. @param {State} s @param {number} px @param {number} py @param {boolean} add */
export function startBand(s, px, py, add) {
  const before = add ? new Set(s.input.selection) : new Set();
  s.input.band = { x0: px, y0: py, x1: px, y1: py, before };
}

/**
 * Moves the corner of the frame, and selects the pieces whose centre lies in it.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 */
export function moveBand(s, px, py) {
  const b = s.input.band;
  if (!b) return;
  b.x1 = px;
  b.y1 = py;
  const left = Math.min(b.x0, b.x1);
  const right = Math.max(b.x0, b.x1);
  const top = Math.min(b.y0, b.y1);
  const bottom = Math.max(b.y0, b.y1);
  const inside = new Set(b.before);
  for (const piece of s.sync.pieces.values()) {
    if (isFixed(s, piece)) continue;
    const at = toPage(s.view.camera, piece);
    if (at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) inside.add(piece.id);
  }
  select(s, inside);
}

/** Draws the frame, or hides it. Called when the bars are drawn. @param {State} s */
export function drawBand(s) {
  const { band: b } = s.input;
  const { band: frame } = s.page;
  frame.hidden = b === null;
  if (!b) return;
  const { style } = frame;
  // coordinates of the page, whichever way lines run
  style.left = `${Math.min(b.x0, b.x1)}px`;
  style.top = `${Math.min(b.y0, b.y1)}px`;
  style.width = `${Math.abs(b.x1 - b.x0)}px`;
  style.height = `${Math.abs(b.y1 - b.y0)}px`;
}

/** Removes the frame. @param {State} s */
export function endBand(s) {
  s.input.band = null;
  redrawBars(s);
}

/**
 * Returns the pile of a piece, or the top n of it, from the top.
 * @param {State} s
 * @param {number} id
 * @param {number} [n]
 */
export function pileOf(s, id, n = Infinity) {
  return s.view.piles.of(id).slice(0, n);
}

/**
 * Returns the pieces under a point of the page, from the top to the bottom.
 * @param {number} px
 * @param {number} py
 */
export function under(px, py) {
  return document
    .elementsFromPoint(px, py)
    .map((e) => Number(e.getAttribute('data-piece') ?? 0))
    .filter((id) => id > 0);
}

/**
 * Selects the lowest of some pieces. If one of them is selected, selects the one above it; after
 * the top one the lowest again.
 * @param {State} s
 * @param {number[]} ids from the top to the bottom
 * @returns {number} the selected piece; 0 if there is none
 */
export function selectBelow(s, ids) {
  if (ids.length === 0) return 0;
  const at = s.input.selection.size === 1 ? ids.findIndex((id) => s.input.selection.has(id)) : -1;
  const id = at > 0 ? ids[at - 1] : ids[ids.length - 1];
  select(s, [id]);
  return id;
}

/**
 * Returns the pieces under the middle of a piece, including itself, from the top to the bottom.
 * @param {State} s
 * @param {number} id
 */
export function stackAt(s, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return [];
  const found = [];
  for (const other of s.sync.pieces.values()) {
    if (isUnseen(kindOf(s, other))) continue;
    const box = boxOf(s, other);
    if (piece.x >= box.left && piece.x <= box.right && piece.y >= box.top && piece.y <= box.bottom)
      found.push(other.id);
  }
  return found.sort((a, b) => s.view.order.rank(b) - s.view.order.rank(a));
}

/**
 * Returns the nearest piece in a direction, as this person sees the table; 0 if there is none. On a
 * board it goes from cell to cell, and it does not stop on boards that cannot be moved. Of a pile,
 * only the top counts. Of pieces at one place, such as a card in the middle of a hand and the
 * hand, the uppermost counts; stackAt() leads to the others.
 * @param {State} s
 * @param {number} id
 * @param {number} dx
 * @param {number} dy
 */
export function nextInDirection(s, id, dx, dy) {
  const from = s.sync.pieces.get(id);
  if (!from) return firstPiece(s);
  const onBoard = s.parts.boards?.neighbour(s, from, dx, dy);
  if (onBoard) return onBoard;
  let best = 0;
  let least = Infinity;
  for (const piece of s.sync.pieces.values()) {
    if (piece.id === id || s.view.shown.get(piece.id)?.height === 0) continue;
    if (isUnseen(kindOf(s, piece))) continue;
    if (s.view.boards.has(piece.id) && isFixed(s, piece)) continue;
    const v = turned(piece.x - from.x, piece.y - from.y, s.view.camera.turn);
    const along = v.x * dx + v.y * dy;
    const across = Math.abs(v.x * dy) + Math.abs(v.y * dx);
    if (along <= 20 || across > along * 2) continue;
    const cost = along + 2 * across;
    if (cost < least || (cost === least && s.view.order.rank(piece.id) > s.view.order.rank(best))) {
      least = cost;
      best = piece.id;
    }
  }
  return best;
}

/**
 * Returns the piece that Tab reaches first: the light one nearest to the upper left, as this person
 * sees the table.
 * @param {State} s
 */
export function firstPiece(s) {
  let best = 0;
  let least = Infinity;
  for (const piece of s.sync.pieces.values()) {
    const kind = kindOf(s, piece);
    if (isUnseen(kind)) continue;
    const v = turned(piece.x, piece.y, s.view.camera.turn);
    const heavy = kind.weight === 'heavy' ? 1e6 : 0;
    const cost = v.x * 0.5 + v.y + heavy;
    if (cost < least) {
      least = cost;
      best = piece.id;
    }
  }
  return best;
}
