// Sends what is moved onto a door to the table behind it, without its person (O52).

import { kindOf } from '../../view/catalog.js';
import { boundsOf, toTable, UNITS } from '../../view/geometry.js';
import { change, maskOf, refusal } from '../../input/ops.js';
import { hosts } from '../../rights.js';
import { phrase } from '../../reasons.js';
import { waitWhile } from '../../wait.js';
import { request } from './request.js';
import { msg } from './msg.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../input/state.js').Carry} Carry */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('./draw.js').Sign} Sign */

/** How many pieces go through a door at a time. The others stay on the table. */
export const AT_ONCE = 8;

/** Milliseconds in which the server answers what has become of a drop. */
const SETTLES = 10_000;

/**
 * Returns whether this person may send a piece: what they have brought, or as a host any guest and
 * what belongs to the table. The server decides (T40).
 * @param {State} s
 * @param {Piece} piece
 */
export function isSendable(s, piece) {
  const kind = kindOf(s, piece);
  const guest = s.sync.sets.get(piece.set ?? 0);
  // a pinned piece is unpinned first
  if (kind.hand || refusal(s, { ...piece, pinned: false }, 'take')) return false;
  if (!guest) return hosts(s) && !s.catalog.masks.has(piece.kind);
  return (hosts(s) || guest.by === s.sync.you) && (!!kind.container || isOnlyOne(s, piece));
}

/** Returns whether no other piece of a guest is seen. @param {State} s @param {Piece} piece */
function isOnlyOne(s, piece) {
  return [...s.sync.pieces.values()].every((p) => p.set !== piece.set || p.id === piece.id);
}

/**
 * Returns whether a door holds a piece that is dropped on it, because it is also a deck, a bag or
 * a hand. Then the piece goes into it and not through it.
 * @param {State} s
 * @param {Piece} door
 * @param {Piece} piece
 */
function holds(s, door, piece) {
  const { hand, container } = kindOf(s, door);
  if (hand) return true;
  return !!container && (container.takes === undefined || container.takes === maskOf(s, piece));
}

/**
 * Returns the door onto which what is carried would be dropped, if that accepts some of it; else 0.
 * @param {State} s
 * @param {Carry} c
 * @param {Map<number, Sign>} signs
 */
export function doorBelow(s, c, signs) {
  const lead = c.from.get(c.lead);
  const at = c.by === 'pointer' || !lead
    ? toTable(s.view.camera, c.px, c.py)
    : { x: lead.x + c.dx, y: lead.y + c.dy };
  for (const [id, sign] of signs) {
    const door = s.sync.pieces.get(id);
    const p = s.view.shown.get(id);
    if (!door || !p || c.from.has(id)) continue;
    const { w, h } = boundsOf(p.w, p.h, kindOf(s, p).shape === 'round' ? 0 : p.angle);
    const isOver = Math.abs(at.x - door.x) * 2 < w * UNITS &&
      Math.abs(at.y - door.y) * 2 < h * UNITS;
    if (!isOver && !(c.by === 'pointer' && isOnSign(sign, c))) continue;
    return accepted(s, id, c.from.keys()).length > 0 ? id : 0;
  }
  return 0;
}

/** Returns whether the pointer is on the sign of a door. @param {Sign} sign @param {Carry} c */
function isOnSign({ el }, { px, py }) {
  if (!el.isConnected) return false;
  const { left, right, top, bottom } = el.getBoundingClientRect();
  return px >= left && px <= right && py >= top && py <= bottom;
}

/**
 * Returns those of several pieces that a door accepts.
 * @param {State} s
 * @param {number} door
 * @param {Iterable<number>} ids
 * @returns {Piece[]}
 */
export function accepted(s, door, ids) {
  const to = s.sync.pieces.get(door);
  const all = [...ids].flatMap((id) => s.sync.pieces.get(id) ?? []);
  return to ? all.filter((p) => isSendable(s, p) && !holds(s, to, p)).slice(0, AT_ONCE) : [];
}

/**
 * Sends pieces through a door, one after the other, once the server has answered what was done with
 * them before.
 * @param {State} s
 * @param {number} door
 * @param {string} title of the table behind it
 * @param {Piece[]} pieces
 * @param {Voice} voice
 */
export async function sendThrough(s, door, title, pieces, voice) {
  for (const piece of pieces) {
    const what = phrase(s, [piece]);
    try {
      if (piece.pinned) change(s, piece.id, 'unpin');
      await waitWhile(() => s.sync.unsettled(piece.id), SETTLES);
      await request(s, 'POST', `/${door}/send`, { piece: piece.id });
      voice.notice(msg('doors.sent', { what, title }));
    } catch (error) {
      if (piece.pinned && s.sync.pieces.has(piece.id)) change(s, piece.id, 'pin');
      voice.alarm(/** @type {Error} */ (error).message || msg('doors.notSent', { what }));
      return;
    }
  }
}
