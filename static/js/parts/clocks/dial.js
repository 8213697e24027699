// The displays of clocks (T27): their times, their orientation, and which side is highlighted.

import { kindOf } from '../../view/catalog.js';
import { fallen, written } from '../../sync/clock.js';
import { sideAt, sideThatRuns } from '../../sync/curves.js';
import { el, setAttr, setText } from '../../view/dom.js';
import { UNITS } from '../../view/geometry.js';
import { icon } from '../../view/icons.js';
import { clocksOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../sync/clock.js').ClockKind} ClockKind */

/**
 * The displays of one clock.
 * @typedef {object} Dial
 * @property {Shown} p
 * @property {ClockKind} kind
 * @property {Piece} piece as it was drawn last: its curves say what the sides show (K16)
 * @property {number} running the side that runs; 0: none
 * @property {HTMLElement[]} sides
 * @property {number} angle of the piece in the window, in degrees
 * @property {number} lowest what the running side showed last. If the estimated server time steps
 *   back, the display does not show more
 * @property {boolean} announced whether it was announced that the running side's flag has fallen
 * @property {boolean} isVisible whether it is in the window
 * @property {HTMLElement[]} strip where the times of its sides are shown while it is out of the
 *   window; empty if they need not be
 */

/** How far the server time may step back, in ms, without a visible change. */
const STEADY = 500;

/**
 * Draws the displays of a clock. It does nothing for other pieces.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawClock(s, p, piece) {
  const kind = kindOf(s, piece).clock;
  if (!kind) return;
  const known = clocksOf(s).dials.get(piece.id);
  if (known?.p === p && known.kind !== kind) for (const e of known.sides) e.remove();
  const dial = known?.p === p && known.kind === kind ? known : make(s, p, piece, kind);
  const before = dial.piece;
  dial.piece = piece;
  if (known === dial && before.clock === piece.clock && before.curves === piece.curves) return;
  const running = sideThatRuns(piece);
  if (running !== 0) clocksOf(s).last.set(piece.id, running);
  // The server corrects a predicted time by the delay of the press. That must not look like a step
  // back.
  if (dial.running !== running) dial.lowest = Number.POSITIVE_INFINITY;
  dial.announced = running === 0 || fallen(kind, piece, running, s.net.serverNow());
  dial.running = running;
  write(s, dial);
  clocksOf(s).changed();
}

/**
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 * @param {ClockKind} kind
 * @returns {Dial}
 */
function make(s, p, piece, kind) {
  const sides = kind.displays.map(({ x, y, width, height }, i) => {
    const e = sideElement('span', i + 1, { class: 'dial', 'aria-hidden': 'true' });
    e.style.left = `${x / UNITS}px`;
    e.style.top = `${y / UNITS}px`;
    e.style.width = `${width / UNITS}px`;
    e.style.height = `${height / UNITS}px`;
    p.el.append(e);
    return e;
  });
  /** @type {Dial} */
  const dial = {
    p, kind, piece, running: 0, sides, angle: 0, lowest: Number.POSITIVE_INFINITY,
    announced: true,
    isVisible: true, strip: [],
  };
  clocksOf(s).dials.set(piece.id, dial);
  clocksOf(s).watch(p.el);
  return dial;
}

/**
 * Returns the time that a side shows now, in ms.
 * @param {State} s
 * @param {Dial} dial
 * @param {number} side
 */
export function shows(s, dial, side) {
  const { kind, piece, running } = dial;
  const ms = sideAt(piece, side, s.net.serverNow());
  if (running !== side || kind.counts === 'up') return ms;
  if (ms > dial.lowest && ms < dial.lowest + STEADY) return dial.lowest;
  dial.lowest = ms;
  return ms;
}

/**
 * Writes the times of all sides of a clock, also in the strip.
 * @param {State} s
 * @param {Dial} dial
 */
export function write(s, dial) {
  const { kind, running } = dial;
  const hadTime = kind.counts === 'down' && (dial.piece.clock?.initial ?? 0) > 0;
  for (const [i, e] of dial.sides.entries()) {
    const runs = running === i + 1;
    const ms = shows(s, dial, i + 1);
    const text = written(ms, kind.counts === 'up' && !runs);
    const sized = e.lastElementChild?.textContent?.length === text.length;
    for (const place of [e, dial.strip[i]])
      if (place) writeSide(place, text, runs, hadTime && ms === 0);
    if (!sized) fitTime(dial, e);
  }
}

/** @param {HTMLElement} e @param {string} text @param {boolean} runs @param {boolean} fell */
function writeSide(e, text, runs, fell) {
  setText(/** @type {Element & HTMLElement} */ (e.lastElementChild), text);
  e.classList.toggle('running', runs);
  e.classList.toggle('fallen', fell);
  const sign = fell ? 'flag' : runs ? 'play' : '';
  if ((e.getAttribute('data-sign') ?? '') === sign) return;
  setAttr(e, 'data-sign', sign || null);
  /** @type {Element} */ (e.firstElementChild).replaceChildren(...(sign ? [icon(sign)] : []));
}

/**
 * Makes an element for the time of a side: its sign and its digits.
 * @param {'span' | 'button'} tag
 * @param {number} side
 * @param {Parameters<typeof el>[1]} props
 */
export function sideElement(tag, side, props) {
  return el(
    tag, { ...props, 'data-side': side }, el('span', { class: 'dial-sign' }),
    el('span', { class: 'dial-time' }),
  );
}

/**
 * Turns the times of a clock upright for the viewer, as large as its displays allow. Called when a
 * piece has stopped moving.
 * @param {State} s
 * @param {Shown} p
 */
export function standDial(s, p) {
  const dial = clocksOf(s).dials.get(p.id);
  if (!dial) return;
  const angle = p.angle / 100 + s.view.camera.turn;
  dial.angle = angle;
  for (const e of dial.sides) {
    e.style.setProperty('--upright', `${-angle}deg`);
    fitTime(dial, e);
  }
}

/**
 * The width of a digit, the width of another character and the height of digits, at font size 1.
 */
const DIGIT = 0.62;
const STOP = 0.32;
const HIGH = 0.84;

/**
 * The width that is kept free for the sign of a running side; and the least width for a time, that
 * of 4:59.
 */
const SIGN = 0.95;
const SHORT = 3 * DIGIT + STOP;

/**
 * Gives the time on a display the greatest size that fits, at its angle.
 * @param {Dial} dial
 * @param {HTMLElement} e
 */
function fitTime(dial, e) {
  const { width, height } = dial.kind.displays[dial.sides.indexOf(e)];
  const text = e.lastElementChild?.textContent ?? '';
  const wide = SIGN + Math.max(
    SHORT, [...text].reduce((sum, c) => sum + (c >= '0' && c <= '9' ? DIGIT : STOP), 0),
  );
  const a = (dial.angle * Math.PI) / 180;
  const c = Math.abs(Math.cos(a));
  const s = Math.abs(Math.sin(a));
  const size = Math.min(width / (wide * c + HIGH * s), height / (wide * s + HIGH * c)) / UNITS;
  e.style.setProperty('--size', `${Math.round(size * 10) / 10}px`);
}
