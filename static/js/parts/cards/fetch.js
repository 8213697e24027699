// Drawing from a container, or taking a part off a heap or a piece from a supply, with one gesture.
// A picture follows the pointer at once, while the request is pending. When the piece comes, it
// replaces the picture: held, or where it was dropped. On a slow line several requests can be
// pending, but at most one picture is held.

import { artOf, faceAt, kindAt, kindNamed, kindOf } from '../../view/catalog.js';
import { el, wantsStill } from '../../view/dom.js';
import { clamp, normalAngle, toTable, UNITS } from '../../view/geometry.js';
import { makeRoom } from './hand.js';
import { sendBlind, change } from '../../input/ops.js';
import { written } from '../../view/describe.js';
import { eachFrame } from '../../view/state.js';
import { invalidateBars, redrawBars } from '../../bars/state.js';
import { onEvent, onRename } from '../../listeners.js';
import { cardsOf } from './state.js';
import { hold } from '../../input/drag.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/**
 * A piece that is being taken out of another one.
 * @typedef {object} Fetch
 * @property {'draw'|'split'} op
 * @property {number} piece the container, the heap or the supply
 * @property {number} n how many pieces, or how much value
 * @property {number} seq of the update, 0 while it is not sent
 * @property {Point} from where it comes out, in units
 * @property {Point} at where its middle is, in units
 * @property {Point} offset from the pointer to its middle, in units
 * @property {number} px the pointer, in the page
 * @property {number} py
 * @property {boolean} dropped whether it was dropped
 * @property {boolean} returning whether it must return to where it came from
 * @property {HTMLElement} el
 * @property {number} w its size in px at scale 1
 * @property {number} h
 */

/** Milliseconds of the way back. */
const BACK = 200;

/**
 * Begins to draw from a container, or to take something off a heap or out of a supply.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} n how many pieces, or how much value
 * @param {number} px where the pointer is
 * @param {number} py
 */
export function begin(s, piece, n, px, py) {
  end(s); // drop what was held before
  const k = kindOf(s, piece);
  const op = k.container ? 'draw' : 'split';
  const pointer = toTable(s.view.camera, px, py);
  const from = { x: piece.x, y: piece.y };
  const offset = { x: from.x - pointer.x, y: from.y - pointer.y };
  const { el: e, w, h } = picture(s, piece, n);
  s.page.overlay.append(e);
  /** @type {Fetch} */
  const f = {
    op, piece: piece.id, n, seq: 0, from, at: from, offset, px, py, dropped: false,
    returning: false, el: e,
    w, h,
  };
  cardsOf(s).fetches.push(f);
  // Several pieces come at once, when they are dropped. A single one is held at once.
  if (op === 'split' || n === 1)
    f.seq = sendBlind(
      s, piece.id, op, op === 'draw' ? { ...from, hold: true } : { n, ...from, hold: true },
    );
  redrawBars(s);
}

/**
 * Returns the picture that follows the pointer: the back of the drawn pieces, a heap of value n, or
 * what a supply gives.
 * @param {State} s
 * @param {Piece} piece
 * @param {number} n
 */
function picture(s, piece, n) {
  const k = kindOf(s, piece);
  const of = k.supply && kindNamed(s.catalog, k.supply.of);
  const kind = k.container ? hiddenKind(s, piece) : of ? s.catalog.kinds.indexOf(of) : piece.kind;
  const shown = kindAt(s.catalog, kind);
  const art = kind < 0 ? '' : artOf(s.catalog, faceAt(shown, k.container || of ? 0 : piece.face));
  const w = (kind < 0 ? 300 : shown.width) / UNITS;
  const h = (kind < 0 ? 300 : shown.height) / UNITS;
  const e = el(
    'div',
    {
      class: `piece over lifted mine fetched ${art ? 'solid' : 'unseen-yet'}`,
      'aria-hidden': 'true',
    },
    art && el('img', { class: 'art', alt: '', src: art }),
  );
  e.style.width = `${w}px`;
  e.style.height = `${h}px`;
  e.style.borderRadius = shown.shape === 'round' || kind < 0
    ? '50%'
    : shown.shape === 'card' ? `${Math.min(w, h) * 0.055}px` : '';
  const seat = s.sync.seats.get(s.sync.you);
  if (seat) e.classList.add(s.view.tints.held(seat));
  const isCounted = k.container ? n > 1 : !of || of.currency;
  const label = isCounted ? written(n) : '';
  if (label) {
    const count = el('span', { class: 'label count' }, label);
    count.style.setProperty('--angle', '0deg');
    e.append(count);
  }
  return { el: e, w, h };
}

/**
 * Returns the kind as which the next piece of a container is visible; -1 if it is unknown.
 * @param {State} s
 * @param {Piece} piece
 */
function hiddenKind(s, piece) {
  const { container } = kindOf(s, piece);
  if (container?.takes !== undefined) return container.takes;
  const sorts = s.sync.holds.get(piece.id) ?? [];
  return sorts.length === 1 ? sorts[0].kind : -1;
}

/**
 * Moves the held picture with the pointer.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 */
export function move(s, px, py) {
  const f = heldFetch(s);
  if (!f) return;
  const at = toTable(s.view.camera, px, py);
  const w = s.view.camera.width / 2;
  const h = s.view.camera.height / 2;
  f.px = px;
  f.py = py;
  f.at = { x: clamp(at.x + f.offset.x, -w, w), y: clamp(at.y + f.offset.y, -h, h) };
  s.redraw();
}

/**
 * Holds a dropped picture again whose piece has not come yet.
 * @param {State} s
 * @param {Element} target what was pressed
 * @param {number} px
 * @param {number} py
 * @returns {boolean} whether the target is such a picture
 */
export function resume(s, target, px, py) {
  const f = cardsOf(s).fetches.find((other) => other.el.contains(target));
  if (!f?.dropped || f.returning || (f.op === 'draw' && f.n > 1)) return false;
  const at = toTable(s.view.camera, px, py);
  f.offset = { x: f.at.x - at.x, y: f.at.y - at.y };
  f.dropped = false;
  f.el.classList.add('lifted');
  move(s, px, py);
  return true;
}

/**
 * Drops the held picture. Its piece is put down there when it comes.
 * @param {State} s
 * @param {Point|null} [over] where to drop it instead of where it is
 */
export function end(s, over = null) {
  const f = heldFetch(s);
  if (!f) return;
  if (over) f.at = over;
  f.dropped = true;
  f.el.classList.remove('lifted');
  const place = { x: Math.round(f.at.x), y: Math.round(f.at.y) };
  if (f.seq === 0) f.seq = sendBlind(s, f.piece, 'draw', { n: f.n, ...place });
  redrawBars(s);
}

/** Cancels the held fetch: its piece goes back when it comes. @param {State} s */
export function cancel(s) {
  const f = heldFetch(s);
  if (!f) return;
  f.dropped = true;
  f.returning = true;
  if (f.seq === 0) drop(s, f);
  else goBack(s, f);
  invalidateBars(s);
}

/** Returns whether a picture is held. @param {State} s */
export function isFetching(s) {
  return heldFetch(s) !== undefined;
}

/** Returns whether anything is being taken out of another piece. @param {State} s */
export function isWaiting(s) {
  return cardsOf(s).fetches.length > 0;
}

/** Returns the fetch whose picture is held. @param {State} s */
function heldFetch(s) {
  return cardsOf(s).fetches.find((f) => !f.dropped);
}

/**
 * Replaces pictures by the pieces that come.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindFetch(s) {
  onEvent(s, (event) => {
    if (event.type !== 'made' && event.type !== 'reject') return;
    const f = cardsOf(s).fetches.find((other) => other.seq === event.seq);
    if (!f) return;
    if (event.type === 'made') arrive(s, f, event.piece);
    else fail(s, f);
  });
  eachFrame(s, () => {
    for (const f of [...cardsOf(s).fetches]) {
      draw(s, f);
      // Its update was lost with an older state of the table.
      if (f.seq !== 0 && !s.sync.pending(f.piece)) fail(s, f);
    }
    return false;
  });
  onRename(s, (from, to) => {
    for (const f of cardsOf(s).fetches) if (f.piece === from) f.piece = to;
  });
  return () => {
    for (const f of [...cardsOf(s).fetches]) drop(s, f);
  };
}

/** @param {State} s @param {Fetch} f */
function draw(s, f) {
  const turn = s.view.camera.turn ? ` rotate(${-s.view.camera.turn}deg)` : '';
  const [x, y] = [f.at.x / UNITS - f.w / 2, f.at.y / UNITS - f.h / 2];
  f.el.style.transform = `translate(${x}px, ${y}px)${turn}`;
}

/** Takes the piece that has come. @param {State} s @param {Fetch} f @param {number} id */
function arrive(s, f, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return fail(s, f);
  // It does not fly out: it is at the pointer already.
  if (f.op === 'split' || f.n === 1) cardsOf(s).flights.arrived.delete(id);
  if (f.returning && f.op === 'draw') change(s, id, 'stow', { into: f.piece });
  else if (f.returning) change(s, id, 'release', { ...f.from });
  else if (f.dropped && piece.holder === s.sync.you) {
    const place = { x: Math.round(f.at.x), y: Math.round(f.at.y), ...angleFor(s, f, piece) };
    change(s, id, 'release', makeRoom(s, [{ piece, ...place }]).get(id) ?? place);
  } else if (!f.dropped) {
    const { x, y, z } = piece;
    // So the piece begins where the picture was.
    const start = { x: x - f.offset.x, y: y - f.offset.y };
    hold(s, {
      by: 'pointer', lead: id, from: new Map([[id, { x, y, z }]]), dx: f.at.x - x, dy: f.at.y - y,
      px: f.px, py: f.py, start,
    });
    const angle = angleFor(s, f, piece);
    if (s.view.camera.turn !== 0 && angle) change(s, id, 'rotate', angle);
  }
  drop(s, f);
}

/**
 * Returns the angle at which a drawn piece lies upright for this person. It returns null if the
 * piece keeps its angle, as those of upright kinds do: they are drawn upright for everybody.
 * @param {State} s @param {Fetch} f @param {import('../../types.js').Piece} piece
 */
function angleFor(s, f, piece) {
  if (f.op !== 'draw' || kindOf(s, piece).upright) return null;
  return { angle: normalAngle(-s.view.camera.turn * 100) };
}

/** Ends a fetch that failed. @param {State} s @param {Fetch} f */
function fail(s, f) {
  goBack(s, f);
  drop(s, f);
}

/** Animates the picture back to where it came from. @param {State} s @param {Fetch} f */
function goBack(s, f) {
  if (wantsStill()) return;
  const ghost = /** @type {HTMLElement} */ (f.el.cloneNode(true));
  ghost.classList.replace('fetched', 'flying');
  f.el.hidden = true;
  s.page.overlay.append(ghost);
  const at = (/** @type {Point} */ p) =>
    `translate(${p.x / UNITS - f.w / 2}px, ${p.y / UNITS - f.h / 2}px)`;
  const motion = ghost.animate(
    { transform: [at(f.at), at(f.from)], opacity: [1, 0.2] },
    { duration: BACK, easing: 'ease-out' },
  );
  motion.onfinish = () => ghost.remove();
  motion.oncancel = () => ghost.remove();
}

/** Removes the picture and the fetch. @param {State} s @param {Fetch} f */
function drop(s, f) {
  f.el.remove();
  const { fetches } = cardsOf(s);
  if (fetches.includes(f)) fetches.splice(fetches.indexOf(f), 1);
  s.redraw();
}
