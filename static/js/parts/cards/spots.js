// Finds free places for cards that are played. Pure; no DOM.

/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** The space between a played card and what lies beside it, as a part of the card's width. */
const BESIDE = 0.07;

/** The distance of the places that are tried, as a part of the card's width. */
const STEP = 0.18;

/**
 * Returns n places where a card of this size covers nothing, each as near to a goal as possible. If
 * there are too few, the rest lie at the goal, each a little beside the one before.
 * @param {Point} goal
 * @param {{w: number, h: number}} card
 * @param {Box} room where the middles of cards may lie
 * @param {Box[]} taken what lies there
 * @param {number} n
 * @returns {Point[]}
 */
export function freeSpots(goal, card, room, taken, n) {
  const gap = Math.min(card.w, card.h) * BESIDE;
  const step = Math.min(card.w, card.h) * STEP;
  const boxes = [...taken];
  const isFree = (/** @type {Point} */ { x, y }) => boxes.every((b) =>
    x + card.w / 2 + gap <= b.left || x - card.w / 2 - gap >= b.right ||
    y + card.h / 2 + gap <= b.top || y - card.h / 2 - gap >= b.bottom);
  const from = {
    x: within(goal.x, room.left, room.right), y: within(goal.y, room.top, room.bottom),
  };
  const tried = grid(from, room, step);
  const spots = [];
  for (let i = 0; i < n; i++) {
    const at = tried.find(isFree) ?? {
      x: Math.round(within(from.x + i * step, room.left, room.right)), y: Math.round(from.y),
    };
    spots.push(at);
    boxes.push({
      left: at.x - card.w / 2, right: at.x + card.w / 2,
      top: at.y - card.h / 2, bottom: at.y + card.h / 2,
    });
  }
  return spots;
}

/**
 * Returns the points of a grid in a room, the nearest to its middle point first.
 * @param {Point} from
 * @param {Box} room
 * @param {number} step
 * @returns {Point[]}
 */
function grid(from, room, step) {
  const points = [];
  const count = (/** @type {number} */ length) => Math.max(0, Math.floor(length / step));
  for (let i = -count(from.x - room.left); i <= count(room.right - from.x); i++) {
    for (let j = -count(from.y - room.top); j <= count(room.bottom - from.y); j++)
      points.push({ x: Math.round(from.x + i * step), y: Math.round(from.y + j * step) });
  }
  const far = (/** @type {Point} */ p) => Math.hypot(p.x - from.x, p.y - from.y);
  return points.sort((a, b) => far(a) - far(b));
}

/** @param {number} v @param {number} lo @param {number} hi */
function within(v, lo, hi) {
  return lo > hi ? (lo + hi) / 2 : Math.min(Math.max(v, lo), hi);
}
