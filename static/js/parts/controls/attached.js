// Attached pieces (T97): the server moves them with the piece to which they are attached. Meanwhile
// the page shows them moving along, and it says how many there are.

import { invalidate } from '../../view/state.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../input/state.js').Carry} Carry */

/** Milliseconds for which the page waits until the server has moved what is attached. */
const PATIENCE = 3000;

/** Milliseconds after which it looks again whether the server has. */
const LOOK = 100;

/** Returns what is attached to a piece itself. @param {State} s @param {number} id */
function on(s, id) {
  const there = s.catalog.attached.filter(({ to }) => to === id);
  return there.flatMap(({ piece }) => s.sync.pieces.get(piece) ?? []);
}

/** Whether anything is attached to a piece. @param {State} s @param {number} id */
export const bears = (s, id) => on(s, id).length > 0;

/**
 * Returns what moves along with pieces that are carried, and where it is. What somebody holds
 * stays, and so does what lies on it.
 * @param {State} s
 * @param {Map<number, unknown>} carried
 * @returns {Map<number, {x: number, y: number}>}
 */
export function attachedTo(s, carried) {
  /** @type {Map<number, {x: number, y: number}>} */
  const along = new Map();
  const bearers = [...carried.keys()];
  for (const id of bearers)
    for (const p of on(s, id)) {
      if (p.holder || carried.has(p.id) || along.has(p.id)) continue;
      along.set(p.id, { x: p.x, y: p.y });
      bearers.push(p.id);
    }
  return along;
}

/**
 * Shows what moved along where the server has it: at once, or when it has answered what was done
 * with the pieces that were carried, or has had time to. It moves what is attached in the same
 * frame in which it acknowledges that, and nothing if it rejects it.
 * @param {State} s
 * @param {Carry} carry
 * @param {number} [ms]
 */
export function letGo(s, carry, ms = carry.dx || carry.dy ? PATIENCE : 0) {
  const { along } = carry;
  if (!along?.size) return;
  carry.along = undefined;
  const show = () => {
    for (const id of along.keys()) invalidate(s, id);
    s.redraw();
  };
  const waits = () => [...carry.from.keys()].some((id) => s.sync.pending(id));
  const look = (/** @type {number} */ left) => {
    if (left > 0 && waits()) setTimeout(look, LOOK, left - LOOK);
    else show();
  };
  if (ms > 0) setTimeout(look, LOOK, ms - LOOK); // what was done is not sent yet
  else show();
}

/** Says of all pieces what is attached to them. @param {State} s */
export function sayAttached(s) {
  for (const { to } of s.catalog.attached) invalidate(s, to);
}

/**
 * What a screen reader says of a piece to which others are attached.
 * @param {State} s
 * @param {Piece} piece
 * @returns {string[]}
 */
export function saysOfAttached(s, { id }) {
  const n = on(s, id).length;
  return n > 0 ? [msg('controls.attached', { n })] : [];
}
