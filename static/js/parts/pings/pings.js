// The part of the page for pings: somebody shows a place to everybody (docs/protocol/component.md,
// C14). It is loaded with the first ping that is received or made.

import { isMuted } from '../../bars/muted.js';
import { all, on } from '../../view/dom.js';
import { toTable } from '../../view/geometry.js';
import { addIcons } from '../../view/icons.js';
import { sharedOf } from '../../parts.js';
import { boxOf } from '../../view/piece.js';
import { msg } from './msg.js';
import { drawRings, ringFor } from './rings.js';
import { chosenWord, offerWords } from './words.js';
import { plays } from '../../rights.js';
import { nameOf, placeOf, the } from '../../view/describe.js';
import { nickOf } from '../../view/names.js';
import { eachFrame } from '../../view/state.js';
import { redrawBars } from '../../bars/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../bars/say.js').Voice} Voice */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('../components/registry.js').Ping} Ping */
/** @typedef {import('../../parts.js').Part<'components'>} Shared */

addIcons({ tip: 'M4 12h15M13 6l6 6-6 6' });

/**
 * SHOWN is the time for which a ping is shown (C14). PAUSE is the least time between two pings of
 * one's own. Both in milliseconds.
 */
const SHOWN = 3000;
const PAUSE = 250;

/**
 * The greatest age of a ping when it arrives, in milliseconds. It allows for clocks that differ a
 * little.
 */
const RECENT = 6000;

/** How far a finger or a mouse may move during a press, in px. */
const SLOP = 9;

/** Ends aiming; null while nobody aims. @type {(() => void)|null} */
let endAim = null;

/**
 * The rings and when they end, by performance.now().
 * @type {Map<import('./rings.js').Ring, number>}
 */
const rings = new Map();

/** The keys of the pings that have been seen. @type {Set<string>} */
let seen = new Set();

let lastOwn = 0;

/**
 * Shows pings.
 * @param {State} s
 * @param {Voice} voice
 * @param {Shared} shared
 * @returns {() => void} stops
 */
export function bind(s, voice, shared) {
  eachFrame(s, (now) => {
    for (const [ring, until] of rings) {
      if (until > now) continue;
      ring.remove();
      rings.delete(ring);
    }
    drawRings(s, rings.keys());
    return rings.size > 0;
  });
  const stop = shared.replica.listen((changes) => {
    if (changes.get(shared.entities.TABLE)?.has(shared.COMPONENTS.ping.number))
      look(s, voice, shared);
  });
  look(s, voice, shared, SHOWN); // other pings are from before this page
  return all(stop, () => endAim?.());
}

/**
 * Shows the pings that have arrived.
 * @param {State} s
 * @param {Voice} voice
 * @param {Shared} shared
 * @param {number} [age] the greatest age of a ping that is shown, in ms
 */
function look(s, voice, { replica, entities, COMPONENTS }, age = RECENT) {
  const pings = replica.elements(entities.TABLE, COMPONENTS.ping);
  const before = seen;
  seen = new Set(pings.map(keyOf));
  for (const ping of pings) {
    if (before.has(keyOf(ping)) || isMuted(s, ping.seat)) continue;
    if (Math.abs(s.net.serverNow() - ping.time) > age) continue;
    show(s, voice, ping);
  }
}

/** @param {Ping} ping */
const keyOf = ({ seat, x, y, time }) => `${seat} ${x} ${y} ${time}`;

/** @param {State} s @param {Voice} voice @param {Ping} ping */
function show(s, voice, ping) {
  for (const ring of rings.keys()) {
    if (ring.seat !== ping.seat) continue;
    ring.remove(); // each person has one ring, for the latest ping
    rings.delete(ring);
  }
  const own = ping.seat === s.sync.you;
  const ring = ringFor(s, ping, own);
  rings.set(ring, performance.now() + SHOWN);
  drawRings(s, [ring]); // so that it does not appear elsewhere first
  voice.whisper(sentenceOf(s, ping));
  s.redraw();
}

/** Says what a ping shows, and with which word. @param {State} s @param {Ping} ping */
function sentenceOf(s, ping) {
  const what = describe(s, ping);
  const { seat, word } = ping;
  if (seat === s.sync.you)
    return word ? msg('pings.youSay', { what, word }) : msg('pings.byYou', { what });
  const nick = nickOf(s, seat);
  return word ? msg('pings.saying', { nick, what, word }) : msg('pings.by', { nick, what });
}

/**
 * Describes what a ping shows: the uppermost piece there, or the place.
 * @param {State} s
 * @param {Point} at
 */
function describe(s, at) {
  const { order } = s.view;
  let best = 0;
  for (const piece of s.sync.pieces.values()) {
    const { left, right, top, bottom } = boxOf(s, piece);
    const there = at.x >= left && at.x <= right && at.y >= top && at.y <= bottom;
    if (there && (best === 0 || order.rank(piece.id) > order.rank(best))) best = piece.id;
  }
  const piece = s.sync.pieces.get(best);
  return piece
    ? msg('pings.piece', { name: the(nameOf(s, piece)), place: placeOf(s, at) })
    : msg('pings.place', { place: placeOf(s, at) });
}

/**
 * Shows a place to everybody, with the word that was chosen for it. That ends aiming.
 * @param {State} s
 * @param {Voice} voice
 * @param {Point} place
 */
export function ping(s, voice, place) {
  const word = chosenWord();
  endAim?.();
  if (!plays(s)) return;
  if (s.net.status.state !== 'online') {
    voice.notice(msg('pings.offline'));
    return;
  }
  const now = performance.now();
  if (now - lastOwn < PAUSE) return;
  lastOwn = now;
  const { replica, entities, COMPONENTS } = sharedOf(s);
  const { x, y } = onTable(s, place);
  replica.append(entities.TABLE, COMPONENTS.ping, {
    seat: s.sync.you,
    x,
    y,
    time: Math.round(s.net.serverNow()),
    word,
  });
}

/**
 * Returns the place in whole units, moved to the edge of the table if it lies beyond.
 * @param {State} s
 * @param {Point} place
 */
function onTable({ view: { camera } }, { x, y }) {
  const within = (/** @type {number} */ n, /** @type {number} */ size) =>
    Math.round(Math.min(Math.max(n, -size / 2), size / 2));
  return { x: within(x, camera.width), y: within(y, camera.height) };
}

/** Returns whether the place of the next press is about to be shown. */
export function isAiming() {
  return endAim !== null;
}

/**
 * Shows the place of the next press to everybody. A second call cancels that.
 * @param {State} s
 * @param {Voice} voice
 */
export function aim(s, voice) {
  if (endAim) {
    endAim();
    return;
  }
  voice.notice(msg('pings.aiming'));
  s.page.main.classList.add('aiming');
  const win = s.page.window;
  /** @type {PointerEvent|null} */
  let press = null;
  const stop = all(
    offerWords(s),
    on(
      win,
      'pointerdown',
      (/** @type {PointerEvent} */ e) => {
        e.stopImmediatePropagation();
        press = press ? null : e; // two fingers are no press
      },
      { capture: true },
    ),
    on(
      win,
      'pointerup',
      (/** @type {PointerEvent} */ e) => {
        const p = press;
        press = null;
        if (
          p?.pointerId !== e.pointerId ||
          Math.hypot(e.clientX - p.clientX, e.clientY - p.clientY) > SLOP
        )
          return;
        ping(s, voice, toTable(s.view.camera, e.clientX, e.clientY));
      },
      { capture: true },
    ),
    on(
      win,
      'pointercancel',
      () => {
        press = null;
      },
      { capture: true },
    ),
    on(
      document,
      'keydown',
      (/** @type {KeyboardEvent} */ e) => {
        if (e.key !== 'Escape') return;
        e.preventDefault();
        e.stopImmediatePropagation();
        endAim?.();
      },
      { capture: true },
    ),
  );
  endAim = () => {
    endAim = null;
    stop();
    voice.hush();
    s.page.main.classList.remove('aiming');
    redrawBars(s);
  };
  redrawBars(s);
}
