// Holding and moving pieces, by pointer or keys: start, move, end and cancel. `interrupt` is for a
// piece that somebody else or the server took away.

import { clamp, toPage, toTable } from '../view/geometry.js';
import { levelsOnTop } from '../view/levels.js';
import { SURPRISE } from '../view/animate.js';
import { change, grab, inOrder, refusal } from './ops.js';
import { isInMyHand } from '../rights.js';
import { invalidate, setPace } from '../view/state.js';
import { scrollBy } from '../view/zoom.js';
import { invalidateBars, redrawBars } from '../bars/state.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./ops.js').Refusal} Refusal */
/** @typedef {import('./state.js').Carry} Carry */

/**
 * Picks pieces up and puts them on top of all others of their weight, in their order.
 * @param {State} s
 * @param {number} lead the piece that the player meant; if it cannot be grabbed, no piece is
 * @param {Iterable<number>} ids
 * @param {{by: 'pointer', px: number, py: number}|{by: 'keys'}} how
 * @returns {Refusal|null} why nothing was picked up
 */
export function start(s, lead, ids, how) {
  const first = s.sync.pieces.get(lead);
  if (!first) return { reason: 'gone', piece: lead, by: 0 };
  const no = refusal(s, first, 'grab');
  if (no) return no;
  end(s); // puts down the pieces carried before
  const taken = [];
  const all = [lead, ...ids];
  for (const id of new Set([...all, ...(s.parts.zones?.along(s, all) ?? [])])) {
    const piece = s.sync.pieces.get(id);
    if (piece && !refusal(s, piece, 'grab')) taken.push(piece);
  }
  const levels = levelsOnTop(s, taken);
  /** @type {Map<number, {x: number, y: number, z: string}>} */
  const from = new Map();
  for (const piece of inOrder(s, taken)) {
    from.set(piece.id, { x: piece.x, y: piece.y, z: piece.z });
    // What is attached to it stays above it.
    grab(s, piece.id, s.parts.controls?.bears(s, piece.id) ? undefined : levels.get(piece.id));
  }
  const pointer = how.by === 'pointer' ? { px: how.px, py: how.py } : { px: 0, py: 0 };
  const at = how.by === 'pointer' ? toTable(s.view.camera, how.px, how.py) : { x: 0, y: 0 };
  const along = s.parts.controls?.attachedTo(s, from);
  s.input.carry = { by: how.by, lead, from, along, dx: 0, dy: 0, ...pointer, start: at };
  s.input.take = 0;
  invalidateBars(s);
  return null;
}

/**
 * Moves everything that is carried to a point, while the pointer stays. The pieces then follow the
 * pointer from there, as if it had grabbed them at that point.
 * @param {State} s
 * @param {{x: number, y: number}} at place of the lead piece, in units
 */
export function gather(s, at) {
  const c = s.input.carry;
  if (!c) return;
  const pointer = toTable(s.view.camera, c.px, c.py);
  const lead = c.from.get(c.lead) ?? at;
  c.start = { x: pointer.x - (at.x - lead.x), y: pointer.y - (at.y - lead.y) };
  moveTo(s, at.x - lead.x, at.y - lead.y);
  s.redraw();
}

/** Holds pieces that this person has grabbed already. @param {State} s @param {Carry} carry */
export function hold(s, carry) {
  s.input.carry = carry;
}

/** Ends a carry by keys of which nothing is left. @param {State} s */
export function endEmpty(s) {
  const { carry } = s.input;
  if (carry?.by === 'keys' && carry.from.size === 0) s.input.carry = null;
}

/** Returns the pieces that are carried. @param {State} s @returns {number[]} */
export function carried(s) {
  return s.input.carry ? [...s.input.carry.from.keys()] : [];
}

/**
 * Stores where the pointer is and moves the pieces along. They are drawn in the same frame.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 */
export function move(s, px, py) {
  if (!s.input.carry) return;
  s.input.carry.px = px;
  s.input.carry.py = py;
  follow(s);
  s.redraw();
}

/**
 * Moves the pieces that the pointer carries to the pointer. Also called after the table has been
 * scrolled under it.
 * @param {State} s
 */
export function follow(s) {
  const c = s.input.carry;
  if (c?.by !== 'pointer') return;
  const at = toTable(s.view.camera, c.px, c.py);
  moveTo(s, at.x - c.start.x, at.y - c.start.y);
}

/**
 * EDGE is the distance from the edge of the window at which a dragging pointer scrolls it. DRIFT is
 * the most that it scrolls in a frame. Both are in px.
 */
const EDGE = 36;
const DRIFT = 14;

/**
 * Scrolls the table under the pointer that carries pieces when the pointer is near the edge of the
 * window and the table extends further in that direction. Called once a frame.
 * @param {State} s
 * @returns {boolean} whether it has scrolled, and should be called again in the next frame
 */
export function drift(s) {
  const c = s.input.carry;
  const v = s.view.camera;
  if (c?.by !== 'pointer' || v.live) return false;
  const a = toPage(v, { x: -v.width / 2, y: -v.height / 2 });
  const b = toPage(v, { x: v.width / 2, y: v.height / 2 });
  const dx = pull(c.px - v.left, v.w, Math.min(a.x, b.x) - v.left, Math.max(a.x, b.x) - v.left);
  const dy = pull(c.py - v.top, v.h, Math.min(a.y, b.y) - v.top, Math.max(a.y, b.y) - v.top);
  if (dx === 0 && dy === 0) return false;
  scrollBy(s, dx, dy);
  follow(s);
  return true;
}

/**
 * Returns how far to scroll along one side. `at` is the pointer, `size` is the window, `lo` and
 * `hi` are where the table begins and ends, all in px.
 * @param {number} at
 * @param {number} size
 * @param {number} lo
 * @param {number} hi
 */
function pull(at, size, lo, hi) {
  const strength = (/** @type {number} */ depth) => Math.ceil(DRIFT * clamp(depth / EDGE, 0, 1));
  if (at < EDGE && lo < EDGE) return -strength(EDGE - at);
  if (at > size - EDGE && hi > size - EDGE) return strength(at - (size - EDGE));
  return 0;
}

/**
 * Moves the pieces that keys carry by a step.
 * @param {State} s
 * @param {number} dx in units
 * @param {number} dy
 */
export function nudge(s, dx, dy) {
  if (!s.input.carry) return;
  moveTo(s, s.input.carry.dx + dx, s.input.carry.dy + dy);
  s.redraw();
}

/**
 * Moves the pieces that keys carry to the next cell of the board over which the lead piece is, or
 * of the grid of the table.
 * @param {State} s
 * @param {number} dx -1, 0 or 1, as this person sees the table
 * @param {number} dy -1, 0 or 1
 * @returns {{x: number, y: number}|null} where the lead piece is now; null if there is no next cell
 */
export function nudgeToCell(s, dx, dy) {
  const c = s.input.carry;
  const lead = c?.from.get(c.lead);
  if (!c || !lead) return null;
  const at = { x: lead.x + c.dx, y: lead.y + c.dy };
  const { boards, settings } = s.parts;
  const to = boards?.nextTo(s, at, dx, dy) ?? settings?.nextTo(s, at, dx, dy);
  if (!to) return null;
  moveTo(s, to.x - lead.x, to.y - lead.y);
  s.redraw();
  return to;
}

/**
 * Moves the carried pieces by (dx, dy) from their start, but keeps every centre on the table.
 * @param {State} s
 * @param {number} dx
 * @param {number} dy
 */
function moveTo(s, dx, dy) {
  const c = s.input.carry;
  if (!c) return;
  const w = s.view.camera.width / 2;
  const h = s.view.camera.height / 2;
  const room = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  for (const { x, y } of c.from.values()) {
    room.left = Math.max(room.left, -w - x);
    room.right = Math.min(room.right, w - x);
    room.top = Math.max(room.top, -h - y);
    room.bottom = Math.min(room.bottom, h - y);
  }
  c.dx = clamp(dx, room.left, room.right);
  c.dy = clamp(dy, room.top, room.bottom);
}

/**
 * Puts the carried pieces down at their current places. In this person's own hand, the other cards
 * make room. Cards close up in the hand from which pieces were taken.
 * @param {State} s
 * @param {boolean} [down] cards that leave the hand are turned front down
 * @returns {number[]} the pieces that were carried
 */
export function end(s, down = false) {
  const c = s.input.carry;
  if (!c) return [];
  const send = s.parts.doors?.doorUnder(s);
  s.input.carry = null;
  s.parts.controls?.letGo(s, c);
  invalidateBars(s);
  const put = [];
  for (const [id, { x, y }] of c.from) {
    const piece = s.sync.pieces.get(id);
    if (piece?.holder === s.sync.you)
      put.push({ piece, x: Math.round(x + c.dx), y: Math.round(y + c.dy) });
  }
  const { cards } = s.parts;
  const slots = cards?.makeRoom(s, put) ?? new Map();
  for (const { piece, x, y } of s.parts.zones?.zonesLast(s, put) ?? put) {
    const { id } = piece;
    const slot = slots.get(id);
    if (!slot && down && isInMyHand(s, piece) && !cards?.handAt(s, { x, y }))
      cards?.turn(s, piece, true);
    const at = slot ?? snapped(s, piece, { x, y });
    s.parts.boards?.capture(s, piece, at, c.from);
    change(s, id, 'release', at);
  }
  closeUpWhere(s, c, slots);
  s.parts.boards?.noteDropped(s, c.from);
  send?.(put.map(({ piece }) => piece.id).filter((id) => !slots.has(id)));
  return [...c.from.keys()];
}

/**
 * Returns where a piece that is put down comes to lie: in the middle of a cell of a board, or of
 * the grid of the table, or where it is.
 * @param {State} s
 * @param {import('../types.js').Piece} piece
 * @param {{x: number, y: number}} at
 */
function snapped(s, piece, at) {
  const { boards, settings, zones } = s.parts;
  if (zones?.lays(s, piece, at)) return at;
  return boards?.snapped(s, piece, at) ?? settings?.snapped(s, piece, at) ?? at;
}

/**
 * Lets the cards close up in the hands from which cards were taken.
 * @param {State} s
 * @param {Carry} c
 * @param {Map<number, unknown>} slots the places of pieces that have come into a hand
 */
function closeUpWhere(s, c, slots) {
  const left = new Set();
  for (const [id, from] of c.from) {
    const hand = s.parts.cards?.handAt(s, from);
    if (hand && !slots.has(id)) left.add(hand);
  }
  for (const hand of left) s.parts.cards?.closeUp(s, hand);
}

/**
 * Puts the carried pieces back to their old places and levels. Returns the pieces that were
 * carried.
 * @param {State} s
 * @returns {number[]}
 */
export function cancel(s) {
  const c = s.input.carry;
  if (!c) return [];
  s.input.carry = null;
  s.parts.controls?.letGo(s, c, 0);
  invalidateBars(s);
  for (const [id, { x, y, z }] of c.from) {
    if (s.sync.pieces.get(id)?.holder !== s.sync.you) continue;
    setPace(s, id, 220);
    change(s, id, 'release', z ? { x, y, z } : { x, y });
  }
  return [...c.from.keys()];
}

/**
 * Stops carrying a piece that this person no longer holds. It slides from where it is shown to its
 * real place.
 * @param {State} s
 * @param {number} id
 * @returns {boolean} whether it was carried
 */
export function interrupt(s, id) {
  const c = s.input.carry;
  if (!c?.from.delete(id)) return false;
  s.parts.controls?.letGo(s, c, 0);
  setPace(s, id, SURPRISE);
  invalidate(s, id);
  invalidateBars(s);
  if (c.from.size === 0) s.input.carry = null;
  else if (c.lead === id) c.lead = c.from.keys().next().value ?? 0;
  s.redraw();
  return true;
}

/**
 * Carries by keys the pieces that this person already holds, because they were just wrested, or are
 * held in another window.
 * @param {State} s
 * @param {number[]} ids
 */
export function adopt(s, ids) {
  /** @type {Map<number, {x: number, y: number, z: string}>} */
  const from = new Map();
  for (const id of ids) {
    const piece = s.sync.pieces.get(id);
    if (piece?.holder === s.sync.you) from.set(id, { x: piece.x, y: piece.y, z: piece.z });
  }
  if (from.size === 0) return;
  const start = { x: 0, y: 0 };
  s.input.carry = { by: 'keys', lead: ids[0], from, dx: 0, dy: 0, px: 0, py: 0, start };
  redrawBars(s);
}
