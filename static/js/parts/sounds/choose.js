// Which sound something makes. A sound tells only what the page shows: it depends on what was done
// and on the kind of piece that this person sees.

import { turned } from '../../view/geometry.js';

/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */
/** @typedef {import('./synth.js').Sound} Sound */

/**
 * What operations sound like that do not depend on the kind.
 * @type {Record<string, Sound>}
 */
const OF_OPERATION = {
  roll: 'die', shuffle: 'shuffle', recall: 'shuffle', cut: 'flip', deal: 'card', draw: 'card',
  split: 'chip', merge: 'chip', count: 'wood', press: 'wood', pass: 'wood',
};

/** Operations after which a piece comes to lie somewhere. */
const LAYS = new Set(['release', 'move', 'stow', 'place', 'add', 'copy']);

/**
 * Returns the sound of an operation with a piece of a kind; '' for none.
 * @param {string} op
 * @param {Kind|null} kind null if nobody here sees the piece
 * @returns {Sound|''}
 */
export function soundOf(op, kind) {
  const always = OF_OPERATION[op];
  if (always) return always;
  if (!kind) return '';
  if (op === 'flip') return isCard(kind) ? 'flip' : 'wood';
  if (!LAYS.has(op)) return '';
  if (isCard(kind)) return 'card';
  return kind.currency ? 'chip' : 'wood';
}

/** @param {Kind} kind */
const isCard = ({ shape, weight }) => shape === 'card' && weight === 'light';

/**
 * Returns whether a clock now runs for this person, and did not before.
 * @param {Kind} kind of the clock
 * @param {Piece|null} before
 * @param {Piece} now
 * @param {number} own the side that this person has pressed last; 0: none, then it is the one that
 *   is nearer to them
 * @param {number} turn of the table for this person
 */
export function isOwnClock(kind, before, now, own, turn) {
  const side = now.clock?.running ?? 0;
  if (side === 0 || side === before?.clock?.running) return false;
  const displays = kind.clock?.displays ?? [];
  if (displays.length < 2) return false;
  return side === (own || nearer(displays, now.angle / 100 + turn));
}

/**
 * Returns the side of a clock that is lower for whoever sees it at this angle; 0 if none is.
 * @param {{x: number, y: number, width: number, height: number}[]} displays
 * @param {number} degrees
 */
function nearer([a, b], degrees) {
  const dx = a.x + a.width / 2 - b.x - b.width / 2;
  const dy = a.y + a.height / 2 - b.y - b.height / 2;
  const { y } = turned(dx, dy, degrees);
  return Math.abs(y) < 1 ? 0 : y > 0 ? 1 : 2;
}
