// Sends where this person carries pieces (S12), and where they point (S13). It looks once a frame,
// and asks for more frames until the last place is sent.

import { kindOf } from '../../view/catalog.js';
import { all, on } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { Sampler } from './sampler.js';
import { covers, isMine } from '../../rights.js';
import { eachFrame } from '../../view/state.js';

/** @typedef {import('../../state.js').State} State */

/** The time between two points of something, in ms. */
const BEAT = 50;

/**
 * How many points it sends in a second, and in one message: a bit fewer than the server accepts.
 */
const MAX_PER_SECOND = 540;
const MAX_PER_MESSAGE = 200;

/** After how many milliseconds it tries again what could not be sent. */
const RETRY = 400;

/**
 * Begins to send.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindSending(s) {
  const win = s.page.window;
  /** The carry of the last frame. @type {import('../../input/state.js').Carry|null} */
  let carry = null;
  let hand = new Sampler();
  let synchronisations = 0; // until then
  const arrow = new Sampler();
  /**
   * Where the mouse is in the page, if it is over the table.
   * @type {{px: number, py: number}|null}
   */
  let mouse = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  const sendAll = () => {
    const now = s.net.serverNow();
    const carrying = sendCarried(now);
    const pointing = sendPointer(now);
    return carrying || pointing;
  };

  /** @param {number} now @returns {boolean} whether another frame is needed */
  const sendCarried = (now) => {
    if (s.input.carry !== carry) {
      carry = s.input.carry;
      hand = new Sampler({ x: 0, y: 0 });
    } else if (s.connection.synchronisations !== synchronisations) {
      hand = new Sampler(); // the server may have restarted
    }
    synchronisations = s.connection.synchronisations;
    if (!carry) return false;
    const point = hand.see({ at: now, x: carry.dx, y: carry.dy }, beatFor(carry.from.size));
    if (point && !send(pointsOf(carry, point))) {
      hand = new Sampler(); // a part may have been sent: all is sent again
      clearTimeout(timer);
      timer = setTimeout(s.redraw, RETRY);
      return false;
    }
    return !hand.isSent;
  };

  /** @param {number} now @returns {boolean} whether another frame is needed */
  const sendPointer = (now) => {
    const place = mouse && toTable(s.view.camera, mouse.px, mouse.py);
    if (!place || !s.ready || s.input.carry || !isOnTable(s, place) || isInOwnHand(s, place)) {
      arrow.lose();
      return false;
    }
    const point = arrow.see({ at: now, ...place }, BEAT);
    if (point) s.net.send({ type: 'cursor', ...point });
    return !arrow.isSent;
  };

  /** @param {import('../../types.js').Up[]} messages @returns {boolean} whether all were sent */
  const send = (messages) => messages.every((up) => s.net.send(up));

  const moved = (/** @type {PointerEvent} */ e) => {
    // A finger covers what it points at, and points at nothing when it is lifted.
    mouse = e.pointerType === 'touch' ? null : { px: e.clientX, py: e.clientY };
    s.redraw();
  };
  eachFrame(s, sendAll);
  return all(
    () => clearTimeout(timer),
    on(win, 'pointermove', moved, { passive: true }),
    on(win, 'pointerleave', () => {
      mouse = null;
    }),
  );
}

/**
 * The time between two points of so many pieces, in ms.
 * @param {number} pieces
 */
export function beatFor(pieces) {
  return BEAT * Math.max(1, Math.ceil((pieces * 1000) / BEAT / MAX_PER_SECOND));
}

/**
 * The messages that say where the carried pieces are.
 * @param {import('../../input/state.js').Carry} carry
 * @param {import('./sampler.js').Point} by how far they have been moved, and when
 * @returns {import('../../types.js').Up[]}
 */
export function pointsOf(carry, by) {
  const all = [...carry.from];
  const messages = [];
  for (let i = 0; i < all.length; i += MAX_PER_MESSAGE) {
    const some = all.slice(i, i + MAX_PER_MESSAGE);
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
function isOnTable({ view: { camera } }, { x, y }) {
  return Math.abs(x) <= camera.width / 2 && Math.abs(y) <= camera.height / 2;
}

/**
 * Whether a place lies in a hand into which this person sees. The others do not see at which card
 * they look there.
 * @param {State} s
 * @param {{x: number, y: number}} place
 */
function isInOwnHand(s, place) {
  for (const piece of s.sync.pieces.values()) {
    const isHand = kindOf(s, piece).hand;
    if (isHand && isMine(s, piece) && covers(s, piece, place)) return true;
  }
  return false;
}
