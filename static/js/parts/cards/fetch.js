// Drawing out of a container, and taking a part off a heap, with one gesture. A picture follows the pointer at once, while the server
// is asked; when the piece comes it takes the place of the picture, in the grip or where it was let go by then. Over a slow line several
// can be under way, of which one is in the grip.

import { artOf, faceAt, kindAt } from '../../view/catalog.js';
import { el, wantsStill } from '../../view/dom.js';
import { clamp, normalAngle, toTable, UNITS } from '../../view/geometry.js';
import { makeRoom } from './hand.js';
import { ask, change } from '../../input/ops.js';
import { written } from '../../view/describe.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/geometry.js').Point} Point */

/**
 * What is on its way out of a piece.
 * @typedef {object} Fetch
 * @property {'draw'|'split'} op
 * @property {number} piece    the container or the heap
 * @property {number} n        how many, or how much
 * @property {number} seq      of the update, 0 while it was not sent
 * @property {Point} from      where it comes out, in units
 * @property {Point} at        where the middle of it is
 * @property {Point} offset    from the pointer to it
 * @property {number} px       the pointer, in the page
 * @property {number} py
 * @property {boolean} down    whether it was let go
 * @property {boolean} back    whether it is to go back to where it came from
 * @property {HTMLElement} el
 * @property {number} w        its size in px at scale 1
 * @property {number} h
 */

/** Milliseconds of the way back to where it came from. */
const BACK = 200;

/**
 * Begins to draw out of a container, or to take something off a heap.
 * @param {State} s @param {Piece} piece @param {number} n how many, or how much @param {number} px where the pointer is @param {number} py
 */
export function begin(s, piece, n, px, py) {
  end(s); // what was in the grip before
  const k = kindAt(s.catalog, piece.kind);
  const op = k.container ? 'draw' : 'split';
  const pointer = toTable(s.view, px, py);
  const from = { x: piece.x, y: piece.y };
  const offset = { x: from.x - pointer.x, y: from.y - pointer.y };
  const { el: e, w, h } = picture(s, piece, n);
  s.page.overlay.append(e);
  /** @type {Fetch} */
  const f = { op, piece: piece.id, n, seq: 0, from, at: from, offset, px, py, down: false, back: false, el: e, w, h };
  s.fetches.push(f);
  // Several come at once, to where they are let go; one comes into the grip.
  if (op === 'split' || n === 1) f.seq = ask(s, piece.id, op, op === 'draw' ? { ...from, hold: true } : { n, ...from, hold: true });
  s.dirtyBars = true;
  s.redraw();
}

/** What follows the pointer: the back of what is drawn, or a heap of so much. @param {State} s @param {Piece} piece @param {number} n */
function picture(s, piece, n) {
  const k = kindAt(s.catalog, piece.kind);
  const kind = k.container ? hiddenKind(s, piece) : piece.kind;
  const shown = kindAt(s.catalog, kind);
  const art = kind < 0 ? '' : artOf(s.catalog, faceAt(shown, k.container ? 0 : piece.face));
  const w = (kind < 0 ? 300 : shown.width) / UNITS;
  const h = (kind < 0 ? 300 : shown.height) / UNITS;
  const e = el('div', { class: `piece over lifted mine fetched ${art ? 'solid' : 'unseen-yet'}`, 'aria-hidden': 'true' }, art && el('img', { class: 'art', alt: '', src: art }));
  e.style.width = `${w}px`;
  e.style.height = `${h}px`;
  e.style.borderRadius = shown.shape === 'round' || kind < 0 ? '50%' : shown.shape === 'card' ? `${Math.min(w, h) * 0.055}px` : '';
  const seat = s.sync.seats.get(s.sync.you);
  if (seat) e.classList.add(s.tints.held(seat));
  const label = k.container ? (n > 1 ? String(n) : '') : written(n);
  if (label) {
    const count = el('span', { class: 'label count' }, label);
    count.style.setProperty('--angle', '0deg');
    e.append(count);
  }
  return { el: e, w, h };
}

/** The kind as which the next piece out of a container is seen; -1 if that is not known. @param {State} s @param {Piece} piece */
function hiddenKind(s, piece) {
  const { container } = kindAt(s.catalog, piece.kind);
  if (container?.takes !== undefined) return container.takes;
  const sorts = s.sync.holds.get(piece.id) ?? [];
  return sorts.length === 1 ? sorts[0].kind : -1;
}

/** The pointer has moved. @param {State} s @param {number} px @param {number} py */
export function move(s, px, py) {
  const f = inGrip(s);
  if (!f) return;
  const at = toTable(s.view, px, py);
  const w = s.view.width / 2;
  const h = s.view.height / 2;
  f.px = px;
  f.py = py;
  f.at = { x: clamp(at.x + f.offset.x, -w, w), y: clamp(at.y + f.offset.y, -h, h) };
  s.redraw();
}

/**
 * Takes up again what was let go and has not come yet.
 * @param {State} s @param {Element} target what was pressed @param {number} px @param {number} py
 * @returns {boolean} whether that is such a thing
 */
export function resume(s, target, px, py) {
  const f = s.fetches.find((other) => other.el.contains(target));
  if (!f?.down || f.back || (f.op === 'draw' && f.n > 1)) return false;
  const at = toTable(s.view, px, py);
  f.offset = { x: f.at.x - at.x, y: f.at.y - at.y };
  f.down = false;
  f.el.classList.add('lifted');
  move(s, px, py);
  return true;
}

/**
 * It was let go where it is. What has not come yet is put down there when it comes.
 * @param {State} s @param {Point|null} [over] where it comes instead
 */
export function end(s, over = null) {
  const f = inGrip(s);
  if (!f) return;
  if (over) f.at = over;
  f.down = true;
  f.el.classList.remove('lifted');
  const place = { x: Math.round(f.at.x), y: Math.round(f.at.y) };
  if (f.seq === 0) f.seq = ask(s, f.piece, 'draw', { n: f.n, ...place });
  s.dirtyBars = true;
  s.redraw();
}

/** It is not wanted after all: what comes goes back to where it was. @param {State} s */
export function cancel(s) {
  const f = inGrip(s);
  if (!f) return;
  f.down = true;
  f.back = true;
  if (f.seq === 0) drop(s, f);
  else goBack(s, f);
  s.dirtyBars = true;
}

/** What is carried and has not come yet. @param {State} s */
function inGrip(s) {
  return s.fetches.find((f) => !f.down);
}

/**
 * Puts what has come in the place of the picture.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindFetch(s) {
  s.hears.push((event) => {
    if (event.type !== 'made' && event.type !== 'reject') return;
    const f = s.fetches.find((other) => other.seq === event.seq);
    if (!f) return;
    if (event.type === 'made') come(s, f, event.piece);
    else vanish(s, f);
  });
  s.frames.push(() => {
    for (const f of [...s.fetches]) {
      draw(s, f);
      if (f.seq !== 0 && !s.sync.pending(f.piece)) vanish(s, f); // lost with an older state of the table
    }
    return false;
  });
  s.renames.push((from, to) => {
    for (const f of s.fetches) if (f.piece === from) f.piece = to;
  });
  return () => {
    for (const f of [...s.fetches]) drop(s, f);
  };
}

/** @param {State} s @param {Fetch} f */
function draw(s, f) {
  const turn = s.view.turn ? ` rotate(${-s.view.turn}deg)` : '';
  f.el.style.transform = `translate(${f.at.x / UNITS - f.w / 2}px, ${f.at.y / UNITS - f.h / 2}px)${turn}`;
}

/** The piece is here. @param {State} s @param {Fetch} f @param {number} id */
function come(s, f, id) {
  const piece = s.sync.pieces.get(id);
  if (!piece) return vanish(s, f);
  if (f.op === 'split' || f.n === 1) s.flights?.come.delete(id); // it does not fly out: it is in the hand
  if (f.back && f.op === 'draw') change(s, id, 'stow', { into: f.piece });
  else if (f.back) change(s, id, 'release', { ...f.from });
  else if (f.down && piece.holder === s.sync.you) {
    const angle = f.op === 'draw' ? { angle: normalAngle(-s.view.turn * 100) } : {};
    const place = { x: Math.round(f.at.x), y: Math.round(f.at.y), ...angle };
    change(s, id, 'release', makeRoom(s, [{ piece, ...place }]).get(id) ?? place);
  } else if (!f.down) {
    const { x, y, z } = piece;
    const start = { x: x - f.offset.x, y: y - f.offset.y }; // so that it is where the picture was
    s.carry = { by: 'pointer', lead: id, from: new Map([[id, { x, y, z }]]), dx: f.at.x - x, dy: f.at.y - y, px: f.px, py: f.py, start };
    if (s.view.turn !== 0 && f.op === 'draw') change(s, id, 'rotate', { angle: normalAngle(-s.view.turn * 100) });
  }
  drop(s, f);
}

/** Nothing has come of it. @param {State} s @param {Fetch} f */
function vanish(s, f) {
  goBack(s, f);
  drop(s, f);
}

/** Lets the picture go back to where it came from. @param {State} s @param {Fetch} f */
function goBack(s, f) {
  if (wantsStill()) return;
  const ghost = /** @type {HTMLElement} */ (f.el.cloneNode(true));
  ghost.classList.replace('fetched', 'flying');
  f.el.hidden = true;
  s.page.overlay.append(ghost);
  const at = (/** @type {Point} */ p) => `translate(${p.x / UNITS - f.w / 2}px, ${p.y / UNITS - f.h / 2}px)`;
  const motion = ghost.animate({ transform: [at(f.at), at(f.from)], opacity: [1, 0.2] }, { duration: BACK, easing: 'ease-out' });
  motion.onfinish = () => ghost.remove();
  motion.oncancel = () => ghost.remove();
}

/** Takes the picture away. @param {State} s @param {Fetch} f */
function drop(s, f) {
  f.el.remove();
  s.fetches = s.fetches.filter((other) => other !== f);
  s.redraw();
}
