// Clocks (T27). The part `clocks` draws them. It is loaded with the first clock on the table, since
// every game has clocks in its box.

import { curvesOf, operate, UNSET } from '../sync/clock.js';
import { OF_CLOCK } from '../sync/operations.js';
import { turned } from '../view/geometry.js';
import { kindAt } from '../view/catalog.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('../types.js').Piece} Piece */
/** @typedef {import('./ability.js').Acts} Acts */

/** @typedef {{ clock?: import('../sync/clock.js').ClockKind }} Config */

/** @type {import('./ability.js').Effect} */
function operated(piece, args, { clock: kind, at }, op) {
  if (!kind) return piece;
  const after = operate(kind, piece.clock ?? UNSET, op, args, at);
  return { ...piece, clock: after, curves: curvesOf(kind, after) };
}

/** @type {import('./ability.js').Ability} */
export const clock = {
  onTable: 'clocks',
  says: (s, piece) => s.parts.clocks?.timesOf(s, piece) ?? [],
  draw: (s, p, piece, before) => {
    if (
      before?.clock !== piece.clock || before?.curves !== piece.curves ||
      before?.kind !== piece.kind
    )
      s.parts.clocks?.drawClock(s, p, piece);
  },
  effects: Object.fromEntries([...OF_CLOCK].map((op) => [op, operated])),
  spots: {
    at: (s, piece, point, _target, isAdding) => (isAdding ? 0 : sideAt(s, piece, point)),
    tap: pressClock,
    slop: 16, // players press clocks in a hurry
    isFocused: true,
  },
};

/**
 * Presses a side of a clock, as a tap does. On a clock with two sides it ends the turn of that
 * side. If no side runs, it starts the other side. A clock with a single side starts or pauses.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} side
 * @param {Acts} acts
 * @returns {import('../input/ops.js').Refusal|null} why it is not possible, or null
 */
export function pressClock(s, piece, side, { change, refusal }) {
  const running = piece.clock?.running ?? 0;
  const single = kindAt(s.catalog, piece.kind).clock?.displays.length === 1;
  const op = !single ? 'press' : running === 0 ? 'start' : 'pause';
  const no = refusal(s, piece, op);
  if (no) return no;
  if (!single && running === 3 - side) return { reason: 'otherTurn', piece: piece.id, by: 0 };
  change(s, piece.id, op, single ? {} : { side });
  return null;
}

/**
 * Returns the side of a clock that a press at a point means; 0 if a press there grabs the piece.
 * @param {State} s
 * @param {Piece} piece
 * @param {{x: number, y: number}} point from the centre of the piece, in table units, as the person
 *   sees it
 */
export function sideAt(s, piece, point) {
  const k = kindAt(s.catalog, piece.kind);
  if (!k.clock) return 0;
  const v = turned(point.x, point.y, -piece.angle / 100 - s.view.camera.turn);
  const x = v.x + k.width / 2;
  const y = v.y + k.height / 2;
  const far = k.clock.displays.map((d) => apart(d, { x, y, width: 0, height: 0 }));
  if (far.length === 1) return far[0] <= EDGE ? 1 : 0;
  const [near, other] = far[0] < far[1] ? [1, 2] : [2, 1];
  const between = far[other - 1] < apart(k.clock.displays[0], k.clock.displays[1]);
  return between && far[near - 1] > EDGE ? 0 : near;
}

/**
 * Returns the distance between two rectangles.
 * @param {Box} a
 * @param {Box} b
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */
function apart(a, b) {
  return Math.hypot(
    Math.max(a.x - b.x - b.width, b.x - a.x - a.width, 0),
    Math.max(a.y - b.y - b.height, b.y - a.y - a.height, 0),
  );
}

/** Distance from a display, in table units, up to which a press still counts for it. */
const EDGE = 30;
