// Animations of pieces that enter or leave a hand or a container. A piece that passes from one
// hidden place to another is shown as a back on its way. parts/cards/transfers.js finds out which
// pieces went where.

import { artOf, faceAt, kindAt } from '../../view/catalog.js';
import { el, moveInto, wantsStill } from '../../view/dom.js';
import { UNITS } from '../../view/geometry.js';
import { FLIGHT } from '../../view/animate.js';
import { trace } from './transfers.js';
import { isInMyHand } from '../../rights.js';
import { invalidate } from '../../view/state.js';
import { redrawBars } from '../../bars/state.js';
import { onEvent } from '../../listeners.js';
import { cardsOf } from './state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../types.js').SyncEvent} SyncEvent */
/** @typedef {import('../../view/geometry.js').Point} Point */
/** @typedef {import('./state.js').Flights} Flights */

/** Milliseconds between one back and the next. */
const APART = 45;

/** The most backs that fly from one place to another, and the most in all at a time. */
const SEEN = 6;
const CROWD = 30;

/**
 * Returns the sort as which a piece is counted (T29): its mask, -1 if it is not secret.
 * @param {State} s
 * @param {number} kind
 */
function sortOf(s, kind) {
  if (s.catalog.masks.has(kind)) return kind;
  const k = kindAt(s.catalog, kind);
  return k.secret ? (k.mask ?? -1) : -1;
}

/** Starts to watch for pieces that come and go. @param {State} s */
export function bindFlights(s) {
  onEvent(s, (event) => noteFlight(s, event));
}

/** Records an event. @param {State} s @param {SyncEvent} event */
function noteFlight(s, event) {
  const f = cardsOf(s).flights;
  if (event.type === 'holds') {
    for (const { kind, count } of event.before) tally(f, event.piece, kind, -count);
    for (const { kind, count } of s.sync.holds.get(event.piece) ?? [])
      tally(f, event.piece, kind, count);
    invalidate(s, event.piece);
    redrawBars(s);
  } else if (event.type === 'update') {
    const piece = s.sync.pieces.get(event.piece);
    if (!piece && event.before) f.gone.set(event.piece, event.before);
    else if (piece && !event.before) f.arrived.add(event.piece);
    else if (piece && event.before && piece.owner !== event.before.owner && isInMyHand(s, piece))
      f.inside.add(event.piece);
  }
}

/** @param {Flights} f @param {number} place @param {number} sort @param {number} by */
function tally(f, place, sort, by) {
  const key = `${place} ${sort}`;
  const change = f.changes.get(key) ?? { place, sort, by: 0 };
  change.by += by;
  f.changes.set(key, change);
}

/** Forgets all flights. Called by view/render.js before it draws everything. @param {State} s */
export function clearFlights(s) {
  cardsOf(s).flights.clear();
}

/**
 * Finds out which pieces fly where. Called by view/render.js before it draws the changes.
 * @param {State} s
 * @param {Iterable<number>} ids the pieces that have changed
 * @returns {Flights} where drawn pieces come from, and where removed pieces go
 */
export function resolveFlights(s, ids) {
  const f = cardsOf(s).flights;
  for (const id of ids) {
    const into = s.sync.entering.get(id)?.into;
    const place = into && s.view.shown.has(id) ? s.sync.pieces.get(into) : undefined;
    if (place) f.to.set(id, place);
  }
  if (f.arrived.size === 0 && f.gone.size === 0 && f.changes.size === 0) return f;
  const crossing = (/** @type {Piece} */ p) => ({
    id: p.id, sort: sortOf(s, p.kind), x: p.x, y: p.y,
  });
  const come = pieces(s, f.arrived).map(crossing);
  const inside = pieces(s, f.inside).map(crossing);
  for (const p of pieces(s, f.arrived)) if (isInMyHand(s, p)) inside.push(crossing(p));
  const gone = [...f.gone.values()].map((p) => {
    const seen = s.view.shown.get(p.id); // the player may have seen it being dragged there
    return { ...crossing(p), x: seen?.x ?? p.x, y: seen?.y ?? p.y };
  });
  const changes = [...f.changes.values()].map((c) => {
    const { x = 0, y = 0 } = s.sync.pieces.get(c.place) ?? {};
    return { ...c, x, y };
  });
  const { from, to, hidden } = trace(come, gone, inside, changes);
  f.arrived.clear();
  f.gone.clear();
  f.inside.clear();
  f.changes.clear();
  for (const [id, place] of from) note(s, f.from, id, place);
  for (const [id, place] of to) note(s, f.to, id, place);
  if (!wantsStill()) for (const passage of hidden) pass(s, f, passage);
  return f;
}

/** @param {State} s @param {Map<number, Point>} map @param {number} id @param {number} place */
function note(s, map, id, place) {
  const at = s.sync.pieces.get(place);
  if (at && !map.has(id)) map.set(id, { x: at.x, y: at.y });
}

/** @param {State} s @param {Iterable<number>} ids */
function pieces(s, ids) {
  const found = [];
  for (const id of ids) {
    const piece = s.sync.pieces.get(id);
    if (piece) found.push(piece);
  }
  return found;
}

/**
 * Lets backs fly from one place to another.
 * @param {State} s
 * @param {Flights} f
 * @param {import('./transfers.js').Passage} passage
 */
function pass(s, f, { from, to, sort, n }) {
  const a = s.sync.pieces.get(from);
  const b = s.sync.pieces.get(to);
  if (!a || !b || sort < 0) return;
  const k = kindAt(s.catalog, sort);
  const size = { w: k.width / UNITS, h: k.height / UNITS };
  for (let i = 0; i < Math.min(n, SEEN) && f.count < CROWD; i++) {
    const e = el(
      'div', { class: 'piece over flying solid', 'aria-hidden': 'true' },
      el('img', { class: 'art', alt: '', src: artOf(s.catalog, faceAt(k, 0)) }),
    );
    e.style.width = `${size.w}px`;
    e.style.height = `${size.h}px`;
    e.style.borderRadius = `${Math.min(size.w, size.h) * 0.055}px`;
    s.page.overlay.append(e);
    f.count++;
    fly(e, { ...a, ...size }, b, i * APART, () => {
      f.count--;
      e.remove();
    });
  }
}

/**
 * Lets the element of a piece that has left the view fly to where the piece went, and then removes
 * it.
 * @param {State} s
 * @param {Shown} p
 * @param {Point} goal
 */
export function flyAway(s, p, goal) {
  const { el: e } = p;
  for (const name of ['data-piece', 'role', 'tabindex', 'aria-label', 'aria-pressed'])
    e.removeAttribute(name);
  e.setAttribute('aria-hidden', 'true');
  e.classList.remove('selected', 'waiting', 'held', 'mine', 'lifted');
  e.classList.add('over', 'flying');
  for (const label of e.querySelectorAll(':scope > .label')) label.remove();
  e.style.left = '';
  e.style.top = '';
  moveInto(s.page.overlay, e);
  fly(e, p, goal, 0, () => e.remove());
}

/**
 * Animates an element from one place to another.
 * @param {HTMLElement} e
 * @param {{x: number, y: number, w: number, h: number, angle: number}} from w and h in px at scale
 *   1
 * @param {Point} to
 * @param {number} delay in ms
 * @param {() => void} done
 */
function fly(e, from, to, delay, done) {
  const at = (/** @type {Point} */ p, /** @type {number} */ size, /** @type {number} */ angle) =>
    `translate(${p.x / UNITS - from.w / 2}px, ${p.y / UNITS - from.h / 2}px) ` +
    `rotate(${angle / 100}deg) scale(${size})`;
  const near = { x: from.x + (to.x - from.x) * 0.85, y: from.y + (to.y - from.y) * 0.85 };
  const way = [
    { transform: at(from, 1, from.angle), opacity: delay > 0 ? 0 : 1 },
    { transform: at(from, 1, from.angle), opacity: 1, offset: 0.01 },
    { transform: at(near, 0.9, from.angle), opacity: 1, offset: 0.8 },
    { transform: at(to, 0.8, from.angle), opacity: 0 },
  ];
  const motion = e.animate(
    way, { duration: FLIGHT, delay, easing: 'cubic-bezier(0.3, 0.6, 0.4, 1)', fill: 'both' },
  );
  motion.onfinish = done;
  motion.oncancel = done;
}
