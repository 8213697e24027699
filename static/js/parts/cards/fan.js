// Where cards lie in a hand: in a row from left to right, overlapping as far as necessary. Pure; no
// DOM.

import { turned } from '../../view/geometry.js';

/**
 * A hand as a rectangle: its middle, its size before it is turned, and its angle in degrees.
 * @typedef {{x: number, y: number, width: number, height: number, angle: number}} Place
 */

/** @typedef {import('../../view/geometry.js').Point} Point */

/** The distance of cards that have room to lie side by side, as a part of their width. */
const WHOLE = 1.06;

/** The least visible part of a card, as a part of its width, before a second row begins. */
const LEAST = 0.16;

/**
 * Returns where the middles of n cards lie in a row in a place, from left to right, as the player
 * before it sees them. If they do not fit into one row they lie in two, the first one at the far
 * side.
 * @param {number} n
 * @param {{width: number, height: number}} card its size, unturned
 * @param {Place} place
 * @returns {Point[]}
 */
export function row(n, card, place) {
  const rows = rowsFor(n, card, place);
  const each = Math.ceil(n / rows);
  const gap = Math.min(card.width * 0.12, (place.width - card.width) / 2);
  const long = Math.max(0, place.width - card.width - 2 * Math.max(0, gap));
  const high = Math.max(0, place.height - card.height);
  const points = [];
  for (let i = 0; i < n; i++) {
    const r = Math.floor(i / each);
    const m = Math.min(each, n - r * each);
    const step = m > 1 ? Math.min(card.width * WHOLE, long / (m - 1)) : 0;
    const along = (i - r * each - (m - 1) / 2) * step;
    const across = rows > 1 ? (r / (rows - 1) - 0.5) * high : 0;
    const v = turned(along, across, place.angle);
    points.push({ x: Math.round(place.x + v.x), y: Math.round(place.y + v.y) });
  }
  return points;
}

/**
 * Returns the number of rows for n cards.
 * @param {number} n
 * @param {{width: number, height: number}} card
 * @param {Place} place
 */
function rowsFor(n, card, place) {
  const fit = Math.max(1, 1 + Math.floor((place.width - card.width) / (card.width * LEAST)));
  const room = place.height >= card.height * 1.4 ? 2 : 1;
  return Math.min(room, Math.ceil(n / fit));
}

/**
 * Returns how far a point lies along a hand, from its middle to the right, as the player before it
 * sees it.
 * @param {Point} p
 * @param {Place} place
 */
export function along(p, place) {
  return turned(p.x - place.x, p.y - place.y, -place.angle).x;
}

/** Reports whether a point lies in a place. @param {Point} p @param {Place} place */
export function inside(p, place) {
  const v = turned(p.x - place.x, p.y - place.y, -place.angle);
  return Math.abs(v.x) <= place.width / 2 && Math.abs(v.y) <= place.height / 2;
}

/**
 * Returns cards in the order in which they lie along a hand. Cards at the same place keep their
 * order.
 * @template {{x: number, y: number}} T
 * @param {T[]} cards bottom to top
 * @param {Place} place
 * @returns {T[]}
 */
export function inLine(cards, place) {
  return [...cards].sort((a, b) => along(a, place) - along(b, place));
}

/**
 * Returns where n backs lie in somebody else's hand, from its middle, and their angles in degrees:
 * like a fan of cards.
 * @param {number} n at least 1
 * @param {{width: number, height: number}} card
 * @param {{width: number, height: number}} hand
 * @returns {{x: number, y: number, angle: number}[]}
 */
export function fanOf(n, card, hand) {
  const most = Math.max(0, hand.width - card.width * 1.3);
  const step = n > 1 ? Math.min(card.width * 0.34, most / (n - 1)) : 0;
  const spread = Math.min(24, 3.2 * (n - 1)); // degrees from the first to the last
  return Array.from({ length: n }, (_, i) => {
    const t = n > 1 ? (i / (n - 1)) * 2 - 1 : 0; // -1 to 1
    const sag = (card.height * 0.1 * spread * t * t) / 24;
    return { x: (i - (n - 1) / 2) * step, y: sag, angle: (spread / 2) * t };
  });
}
