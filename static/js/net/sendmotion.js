// What is said to the others while it happens: where the pieces go that this person carries (S12), and where they point (S13). Once
// a frame it is looked where that is; the frames go on until the others know.

import { kindAt } from '../view/catalog.js';
import { all, on } from '../view/dom.js';
import { toTable } from '../view/geometry.js';
import { covers } from '../sync/kinds.js';
import { Sampler } from './sampler.js';
import { isMine } from '../state.js';

/** @typedef {import('../state.js').State} State */

/** The time between two points of something, in ms. */
const BEAT = 50;

/** Points a second of all pieces together, and in one message: a bit below what the server takes. */
const MOST = 540;
const IN_ONE = 200;

/** Milliseconds until it is tried again to say something, when the line was behind. */
const AGAIN = 400;

/**
 * Begins to tell.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindSending(s) {
  const win = s.page.window;
  /** @type {import('../state.js').Carry|null} what was carried in the last frame */
  let carry = null;
  let hand = new Sampler();
  let wholes = 0; // of the streams on which that was said
  const arrow = new Sampler();
  /** The mouse over the table, in the page. @type {{px: number, py: number}|null} */
  let mouse = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const tell = () => {
    const now = s.serverNow();
    const carrying = tellCarried(now);
    const pointing = tellPointer(now);
    return carrying || pointing;
  };

  /** @param {number} now @returns {boolean} whether the others are still to be told where it is */
  const tellCarried = (now) => {
    if (s.carry !== carry) {
      carry = s.carry;
      hand = new Sampler({ x: 0, y: 0 });
    } else if (s.wholes !== wholes) hand = new Sampler(); // the server may have been started anew
    wholes = s.wholes;
    if (!carry) return false;
    const point = hand.see({ at: now, x: carry.dx, y: carry.dy }, beatFor(carry.from.size));
    if (point && !say(pointsOf(carry, point))) {
      hand = new Sampler(); // whatever the others know: say it again
      clearTimeout(timer);
      timer = setTimeout(s.redraw, AGAIN);
      return false;
    }
    return !hand.isSaid;
  };

  /** @param {number} now @returns {boolean} the same */
  const tellPointer = (now) => {
    const place = mouse && toTable(s.view, mouse.px, mouse.py);
    if (!place || !s.ready || s.carry || !isOnTable(s, place) || isInOwnHand(s, place)) {
      arrow.lose();
      return false;
    }
    const point = arrow.see({ at: now, ...place }, BEAT);
    if (point) s.net.send({ type: 'cursor', ...point });
    return !arrow.isSaid;
  };

  /** @param {import('../types.js').Up[]} messages @returns {boolean} whether all went */
  const say = (messages) => messages.every((up) => s.net.send(up));

  const moved = (/** @type {PointerEvent} */ e) => {
    // A finger covers what it points at, and is gone when it is lifted.
    mouse = e.pointerType === 'touch' ? null : { px: e.clientX, py: e.clientY };
    s.redraw();
  };
  s.frames.push(tell);
  return all(
    () => clearTimeout(timer),
    on(win, 'pointermove', moved, { passive: true }),
    on(win, 'pointerleave', () => {
      mouse = null;
    }),
  );
}

/** The time between two points of so many pieces, in ms. @param {number} pieces */
export function beatFor(pieces) {
  return BEAT * Math.max(1, Math.ceil((pieces * 1000) / BEAT / MOST));
}

/**
 * Where all that is carried is seen when it has been moved so far.
 * @param {import('../state.js').Carry} carry @param {import('./sampler.js').Point} by
 * @returns {import('../types.js').Up[]}
 */
export function pointsOf(carry, by) {
  const all = [...carry.from];
  const messages = [];
  for (let i = 0; i < all.length; i += IN_ONE) {
    const some = all.slice(i, i + IN_ONE);
    messages.push({
      type: /** @type {const} */ ('motion'),
      at: by.at,
      pieces: some.map(([id]) => id),
      x: some.map(([, from]) => Math.round(from.x + by.x)),
      y: some.map(([, from]) => Math.round(from.y + by.y)),
    });
  }
  return messages;
}

/** @param {State} s @param {{x: number, y: number}} place */
function isOnTable({ view }, { x, y }) {
  return Math.abs(x) <= view.width / 2 && Math.abs(y) <= view.height / 2;
}

/** Whether a place lies in a hand into which this person sees, where nobody is to see which card they look at. @param {State} s @param {{x: number, y: number}} place */
function isInOwnHand(s, place) {
  for (const piece of s.sync.pieces.values()) {
    if (kindAt(s.catalog, piece.kind).hand && isMine(s, piece) && covers(s, piece, place)) return true;
  }
  return false;
}
