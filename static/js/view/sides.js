// The sides of the game (T61): who has which, from where they look, and how two players swap.

import { plays } from '../rights.js';

/** @typedef {import('../state.js').State} State */
/** @typedef {import('./catalog.js').Side} Side */
/** @typedef {0|90|180|270} Turn */

/**
 * Returns the side of a seat; null if it has none.
 * @param {State} s
 * @param {{side?: number}|undefined} seat
 * @returns {Side|null}
 */
export function sideOf(s, seat) {
  return s.catalog.sides[(seat?.side ?? 0) - 1] ?? null;
}

/**
 * Returns the seat that has a side of the game; undefined if nobody has it.
 * @param {State} s
 * @param {number} n the number of the side
 */
export function seatAt(s, n) {
  return [...s.sync.seats.values()].find(({ side, left }) => side === n && !left);
}

/**
 * Returns how the view is turned for this person: so that their side lies at the lower edge, or the
 * first side of the game for somebody without one.
 * @param {State} s
 * @returns {Turn|null} null if the game has no sides
 */
export function turnOfSide(s) {
  const side = sideOf(s, s.sync.seats.get(s.sync.you)) ?? s.catalog.sides[0];
  return side ? turnFor(side.angle) : null;
}

/**
 * Returns by how many degrees the view is turned away from this person's side of the table.
 * @param {State} s
 */
export function turnFromSide(s) {
  return (s.view.camera.turn - (turnOfSide(s) ?? 0) + 360) % 360;
}

/**
 * Returns the turn of the view for which a card at an angle is as upright as it can be.
 * @param {number} angle in hundredths of a degree
 */
export function turnFor(angle) {
  return /** @type {Turn} */ ((360 - (Math.round(angle / 9000) % 4) * 90) % 360);
}

/**
 * Returns the number of the side that this person gets if the two sides of the game are swapped; 0
 * if they cannot swap.
 * @param {State} s
 */
export function otherSide(s) {
  const { side = 0 } = s.sync.seats.get(s.sync.you) ?? {};
  return s.catalog.sides.length === 2 && side > 0 && plays(s) ? 3 - side : 0;
}

/**
 * Asks the server for a side: the other one of two, or a free one. The answer comes in the stream.
 * @param {State} s
 * @param {number} [side]
 * @returns {Promise<boolean>} whether it did
 */
export async function swapSides(s, side = otherSide(s)) {
  if (side === 0) return false;
  try {
    return (await fetch(`${s.api}/seats/me/side?side=${side}`, { method: 'POST' })).ok;
  } catch {
    return false; // the server is unreachable
  }
}
