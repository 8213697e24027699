// What this client does to pieces: whether it may, at which level, and the sending. The rules are
// those of the server (docs/protocol/table.md, T14 and T24). They are checked here only so that a
// player learns at once why something is not possible.

import { kindAt, kindOf, nextFace } from '../view/catalog.js';
import {
  BY_HOST,
  DESPITE_LOCK,
  NEEDS_FREE,
  NEEDS_UNPINNED,
  OF_CLOCK,
  ON_ANY_HAND,
} from '../sync/operations.js';
import { clamp, middleOf, nextAngle, turned } from '../view/geometry.js';
import { levelsBelow, levelsOnTop } from '../view/levels.js';
import { boxOf, canFlip } from '../view/piece.js';
import { countIn, hosts, isMine, plays, whyOthers } from '../rights.js';
import { invalidate, showShuffle } from '../view/state.js';
import { invalidateBars } from '../bars/state.js';
import { noteMaking, notePending } from './pending.js';
import { noteDone } from '../listeners.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('../types.js').PieceOp} PieceOp */
/** @typedef {import('../types.js').MakeOp} MakeOp */
/** @typedef {import('../types.js').Args} Args */

/**
 * Why something is not possible: a reason of T14 or one of the page's own, and the seat that
 * prevents it.
 */
/** @typedef {{reason: string, piece: number, by: number}} Refusal */

/**
 * Returns why the operation cannot be done with the piece, or null if it can.
 * @param {State} s
 * @param {Piece} piece
 * @param {PieceOp|MakeOp|import('../types.js').BlindOp} op
 * @returns {Refusal|null}
 */
export function refusal(s, piece, op) {
  const no = (/** @type {string} */ reason, by = 0) => ({ reason, piece: piece.id, by });
  if (!plays(s)) return no('spectator');
  if (BY_HOST.has(op) && !hosts(s)) return no('not-allowed');
  const others = ON_ANY_HAND.has(op) ? '' : whyOthers(s, piece);
  if (others) return no(others, piece.owner);
  if (piece.locked && !DESPITE_LOCK.has(op)) return no('locked');
  const taken = op === 'shuffle'; // of listed pieces; a container's shuffle is not checked here
  if (piece.pinned && (taken || NEEDS_UNPINNED.has(op))) return no('pinned');
  const other = piece.holder !== 0 && piece.holder !== s.sync.you;
  if (other && (taken || NEEDS_FREE.has(op))) return no('held', piece.holder);
  if (op === 'wrest' && !other) return no('not-allowed');
  if (op === 'flip' && !canFlip(s, piece)) return no('not-allowed');
  if (op === 'copy' && s.catalog.masks.has(piece.kind)) return no('hidden');
  if (OF_CLOCK.has(op)) {
    const sides = kindAt(s.catalog, piece.kind).clock?.displays.length ?? 0;
    if (sides === 0) return no('noClock');
    if (op === 'press' && sides === 1) return no('oneSide');
  }
  if (op === 'shuffle' && maskOf(s, piece) < 0) return no('shuffle');
  if (op === 'delete' && kindAt(s.catalog, piece.kind).container && countIn(s, piece))
    return no('not-empty');
  return null;
}

/**
 * Returns the mask of a secret piece, which all cards of one pack share; -1 if the piece is not
 * secret.
 * @param {State} s
 * @param {Piece} piece
 */
export function maskOf(s, piece) {
  if (s.catalog.masks.has(piece.kind)) return piece.kind;
  const k = kindAt(s.catalog, piece.kind);
  return k.secret ? (k.mask ?? -1) : -1;
}

/**
 * Changes a piece and shows it at once. The caller has checked refusal().
 * @param {State} s
 * @param {number} id
 * @param {PieceOp} op
 * @param {Args} [args]
 */
export function change(s, id, op, args = {}) {
  s.sync.update(id, op, args);
  sent(s, id, op, args);
}

/**
 * Changes a piece as change() does, for the sake of order: nobody has asked for it, so nobody is
 * told that it was done.
 * @param {State} s
 * @param {number} id
 * @param {PieceOp} op
 * @param {Args} [args]
 */
export function arrange(s, id, op, args = {}) {
  s.sync.update(id, op, args);
  display(s, id);
}

/**
 * Grabs a piece. If its release is still pending, the grab is a loose one (T17): the answer may
 * come with an update that the client cannot foresee.
 * @param {State} s
 * @param {number} id
 * @param {string} [z]
 */
export function grab(s, id, z) {
  const args = z ? { z } : {};
  const piece = s.sync.pieces.get(id);
  if (piece?.holder === 0 && s.sync.unsettled(id)) s.sync.grabLoose(id, args);
  else s.sync.update(id, 'grab', args);
  sent(s, id, 'grab', args);
}

/**
 * Asks for something that the page cannot show before the server has done it.
 * @param {State} s
 * @param {MakeOp} op
 * @param {import('../types.js').MakeArgs} args
 */
export function sendMake(s, op, args) {
  const seq = s.sync.make(op, args);
  if (op === 'add' || op === 'copy') noteMaking(s, seq, op);
  sent(s, args.piece ?? 0, op, args);
}

/**
 * Sends a blind update: it does not depend on what this client last saw of the piece (T28). The
 * pieces that a draw brings or a split makes come as event `made` with the sequence that this
 * function returns.
 * @param {State} s
 * @param {number} id
 * @param {import('../types.js').BlindOp|string} op
 * @param {Args} [args]
 * @returns {number} the `seq` of its events
 */
export function sendBlind(s, id, op, args = {}) {
  const seq = s.sync.blind(id, op, args);
  sent(s, id, op, args);
  return seq;
}

/** @param {State} s @param {number} id @param {string} op @param {Args} args */
function sent(s, id, op, args) {
  noteDone(s, id, op, args);
  display(s, id);
}

/** Shows an own update, and sends it. @param {State} s @param {number} id */
function display(s, id) {
  if (id) {
    invalidate(s, id);
    notePending(s, id);
  }
  invalidateBars(s);
  s.net.flush();
  s.redraw();
}

/** How far pieces turn at once unless their kinds say it, in degrees (G22). */
const TURN = 15;

/**
 * Turns each piece to the next multiple of the step of its kind (G22), or of a given one.
 * @param {State} s
 * @param {Piece[]} pieces
 * @param {1|-1} way clockwise, or back
 * @param {number} [step] in degrees
 */
export function rotate(s, pieces, way, step) {
  for (const p of pieces) {
    const by = 100 * (step ?? kindOf(s, p).turn ?? TURN);
    change(s, p.id, 'rotate', { angle: nextAngle(p.angle, way * by) });
  }
}

/** Flips each piece. @param {State} s @param {Piece[]} pieces */
export function flip(s, pieces) {
  for (const p of pieces) change(s, p.id, 'flip', { face: nextFace(s.catalog, p) });
}

/**
 * Puts pieces on top of all others of their layer and keeps their order.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function raise(s, pieces) {
  const levels = levelsOnTop(s, pieces);
  for (const p of inOrder(s, pieces)) change(s, p.id, 'raise', leveled({}, levels.get(p.id)));
}

/**
 * Puts pieces under all others of their layer and keeps their order.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function lower(s, pieces) {
  const levels = levelsBelow(s, pieces);
  for (const p of inOrder(s, pieces)) change(s, p.id, 'lower', leveled({}, levels.get(p.id)));
}

/** Adds a level to arguments, if there is one. @param {Args} args @param {string|undefined} z */
function leveled(args, z) {
  return z ? { ...args, z } : args;
}

/** Number of the uppermost cards of a shuffle that are shown moving. */
const SEEN = 24;

/**
 * Shows cards going aside and back, as in shuffling hands.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function riffle(s, pieces) {
  for (const p of inOrder(s, pieces).slice(-SEEN)) showShuffle(s, p.id);
  s.redraw();
}

/** Returns pieces from the bottom to the top. @param {State} s @param {Piece[]} pieces */
export function inOrder(s, pieces) {
  return [...pieces].sort((a, b) => s.view.order.rank(a.id) - s.view.order.rank(b.id));
}

/**
 * Stacks pieces in one pile at the middle of their places.
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function stack(s, pieces) {
  const sorted = inOrder(s, pieces);
  const levels = levelsOnTop(s, sorted);
  const middle = middleOf(sorted);
  const x = Math.round(middle.x);
  const y = Math.round(middle.y);
  for (const p of sorted) change(s, p.id, 'move', leveled({ x, y }, levels.get(p.id)));
}

/**
 * Distance of pieces in a row, as a part of their width. CORNER shows the corner of each; WHOLE, in
 * a hand, shows all of each.
 */
const CORNER = 0.36;
const WHOLE = 1.04;

/**
 * Lays pieces out in a row at their middle, along this person's side, the lowest first. Cards of a
 * hand that this person sees stay in it: outside, everybody would see them (T23).
 * @param {State} s
 * @param {Piece[]} pieces
 */
export function spread(s, pieces) {
  const sorted = inOrder(s, pieces);
  const levels = levelsOnTop(s, sorted);
  const hand = handAround(s, sorted);
  const box = hand ?? tableBox(s);
  const v = turned(1, 0, -s.view.camera.turn);
  const middle = middleOf(sorted);
  const gaps = Math.max(1, sorted.length - 1);
  const along = (/** @type {ReturnType<typeof tableBox>} */ b) =>
    v.x === 0 ? b.bottom - b.top : b.right - b.left;
  const size = Math.max(...sorted.map((p) => along(boxOf(s, p))));
  const long = along(box);
  const step = Math.max(0, Math.min(size * (hand ? WHOLE : CORNER), (long - size) / gaps));
  // The middle of the row, moved inside so far that both ends fit.
  const half = (gaps * step + size) / 2;
  const mx = clampInto(middle.x, box.left, box.right, Math.abs(v.x) * half + 1);
  const my = clampInto(middle.y, box.top, box.bottom, Math.abs(v.y) * half + 1);
  sorted.forEach((p, i) => {
    const d = (i - (sorted.length - 1) / 2) * step;
    const place = { x: Math.round(mx + v.x * d), y: Math.round(my + v.y * d) };
    change(s, p.id, 'move', leveled(place, levels.get(p.id)));
  });
}

/** @param {number} v @param {number} lo @param {number} hi @param {number} margin */
function clampInto(v, lo, hi, margin) {
  return lo + margin > hi - margin ? (lo + hi) / 2 : clamp(v, lo + margin, hi - margin);
}

/** @param {State} s */
function tableBox(s) {
  const { width, height } = s.view.camera;
  return { left: -width / 2, top: -height / 2, right: width / 2, bottom: height / 2 };
}

/**
 * Returns the box of the hand, of this person or of the team, that has the middle of these cards in
 * it. Null unless all of them lie in one owner's hand into which this person sees.
 * @param {State} s
 * @param {Piece[]} pieces
 */
function handAround(s, pieces) {
  const { owner } = pieces[0];
  if (!pieces.every((p) => isMine(s, p) && p.owner === owner)) return null;
  const middle = middleOf(pieces);
  for (const p of s.sync.pieces.values()) {
    if (p.owner !== owner || !kindAt(s.catalog, p.kind).hand) continue;
    const box = boxOf(s, p);
    if (
      middle.x >= box.left &&
      middle.x <= box.right &&
      middle.y >= box.top &&
      middle.y <= box.bottom
    )
      return box;
  }
  return null;
}
