/**
 * Recorded motion (K17): where pieces were at any moment. Unlike the tracks of tracks.js it has all
 * that comes, and it forgets nothing (K10.5). Updates of the replay say when the motion of a piece
 * has ended (K12). Numbers only: no DOM, no clock.
 *
 * @module
 */

import * as curves from './curve.js';
import { segmentOf, valueAt } from './tracks.js';

/** @typedef {import('../../types.js').Paths} Paths */

/**
 * When motion has ended, ascending: that of a piece by updates that set its place or its holder,
 * and that of all pieces by full states. Times of the server, in ms.
 * @typedef {{of: Map<number, number[]>, all: number[]}} Ends
 */

/**
 * The motion of a piece from one end to the next. The curve is made when it is looked at, since
 * numbers need less memory.
 * @typedef {object} Move
 * @property {number} ended the time of the end before it
 * @property {number[]} numbers of its segments, SIZE of each
 * @property {curves.Curve|null} curve
 */

/** How many numbers a segment is kept in: time, lag, span, x, y, dx, dy. */
const SIZE = 7;

/** If it rests for less than this, in ms, a piece counts as in motion. */
const JOIN = 100;

/** How many curves are kept. */
const MOST_CURVES = 64;

export class Recording {
  /** @type {Map<number, Map<number, Move>>} by piece, and by the end before */
  #moves = new Map();
  /** The moves with a curve, the oldest first. @type {Set<Move>} */
  #drawn = new Set();
  /** When something moved. @type {[from: number, to: number][]} */
  #spans = [];
  #ends;

  /** @param {Ends} ends */
  constructor(ends) {
    this.#ends = ends;
  }

  /**
   * Takes in segments.
   * @param {Paths} paths
   * @param {number} time of their frame
   */
  add({ lag, span, ids, x, y, dx, dy }, time) {
    for (const [i, id] of ids.entries()) {
      const ended = this.#endBefore(id, time);
      let moves = this.#moves.get(id);
      if (!moves) this.#moves.set(id, (moves = new Map()));
      let move = moves.get(ended);
      if (!move) moves.set(ended, (move = { ended, numbers: [], curve: null }));
      move.numbers.push(time, lag, span, x[i], y[i], dx[i], dy[i]);
      move.curve = null;
    }
    const from = time - lag;
    const last = this.#spans.at(-1);
    if (last && from <= last[1] + JOIN && from >= last[0]) last[1] = Math.max(last[1], from + span);
    else this.#spans.push([from, from + span]);
  }

  /**
   * Returns where a piece was at a moment; null where the recorded updates say that.
   * @param {number} id
   * @param {number} moment
   * @returns {{x: number, y: number}|null}
   */
  at(id, moment) {
    const move = this.#moves.get(id)?.get(this.#endBefore(id, moment));
    return move ? valueAt(this.#curveOf(move), moment) : null;
  }

  /**
   * Returns when something moved: times in order that do not touch each other.
   * @returns {[from: number, to: number][]}
   */
  spans() {
    /** @type {[number, number][]} */
    const all = [];
    for (const [from, to] of [...this.#spans].sort((a, b) => a[0] - b[0])) {
      const last = all.at(-1);
      if (last && from <= last[1] + JOIN) last[1] = Math.max(last[1], to);
      else all.push([from, to]);
    }
    return all;
  }

  /** @param {number} id @param {number} t */
  #endBefore(id, t) {
    return Math.max(lastUpTo(this.#ends.of.get(id) ?? [], t), lastUpTo(this.#ends.all, t));
  }

  /** @param {Move} move */
  #curveOf(move) {
    if (move.curve) return move.curve;
    const curve = curves.empty(true);
    curves.endMotion(curve, move.ended - 1); // as S12 says
    const { numbers } = move;
    for (let i = 0; i < numbers.length; i += SIZE) {
      const [time, lag, span, x, y, dx, dy] = numbers.slice(i, i + SIZE);
      const segment = segmentOf({ lag, span, x: [x], y: [y], dx: [dx], dy: [dy] }, 0, time);
      if (segment) curves.add(curve, segment);
    }
    move.curve = curve;
    this.#drawn.add(move);
    for (const oldest of this.#drawn) {
      if (this.#drawn.size <= MOST_CURVES) break;
      this.#drawn.delete(oldest);
      oldest.curve = null;
    }
    return curve;
  }
}

/**
 * Returns the last number that is not greater than t; 0 if there is none.
 * @param {number[]} ascending
 * @param {number} t
 */
function lastUpTo(ascending, t) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? ascending[low - 1] : 0;
}
