// A card's large picture: when the mouse rests on a card that lies face up, when a finger rests on
// one in the strip, or by a key. It shows the face that the page shows anyway, and takes no
// pointer events.

import { artOf, faceAt, isBack, kindOf } from '../../view/catalog.js';
import { el, on, all } from '../../view/dom.js';
import { clamp } from '../../view/geometry.js';
import { targets } from '../../input/select.js';
import { eachFrame } from '../../view/state.js';
import { onRename } from '../../listeners.js';
import { cardsOf } from './state.js';

/** @typedef {import('../../state.js').State} State */

/** Milliseconds for which the mouse has to rest on a card. */
const REST = 400;

/**
 * How far the mouse has to move after a press or a key before it counts as resting on a card, in
 * px. Cards move under a mouse that stays.
 */
const AWAY = 6;

/** The distance of the picture from its card and from the edges of the window, in px. */
const GAP = 12;

/** Keys that people hold down with others. */
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** A picture less than so many times as large as its card is not shown. */
const LARGER = 1.25;

/**
 * Shows a card large, beside where it is drawn. Only a card that lies face up is shown.
 * @param {State} s
 * @param {number} id
 * @returns {boolean} whether it is shown
 */
export function enlarge(s, id) {
  shrink(s);
  const piece = s.sync.pieces.get(id);
  const k = piece && kindOf(s, piece);
  const at = placeIn(s, id);
  if (!piece || !k?.secret || isBack(s.catalog, piece) || !at) return false;
  const height = Math.min(300, innerHeight * 0.5, (innerWidth * 0.7 * k.height) / k.width);
  const width = (height * k.width) / k.height;
  if (height < at.height * LARGER) return false;
  const large = el(
    'div', { class: 'large-card', 'aria-hidden': 'true', 'data-large': id },
    el('img', { alt: '', src: artOf(s.catalog, faceAt(k, piece.face)), draggable: 'false' }),
  );
  const { style } = large;
  const place = spotFor(at, width, height, s.page.handStrip.contains(at.of));
  style.width = `${width}px`;
  style.height = `${height}px`;
  style.left = `${place.x}px`; // coordinates of the page, whichever way lines run
  style.top = `${place.y}px`;
  s.page.main.append(large);
  cardsOf(s).large = { id, kind: piece.kind, el: large };
  return true;
}

/** Hides the large picture. @param {State} s */
export function shrink(s) {
  cardsOf(s).large?.el.remove();
  cardsOf(s).large = null;
}

/**
 * Hides the large picture if the page no longer shows that face of the card: somebody has turned
 * it over, taken it, or deleted it.
 * @param {State} s
 */
export function shrinkIfChanged(s) {
  const { large } = cardsOf(s);
  if (!large) return;
  const piece = s.sync.pieces.get(large.id);
  if (piece?.kind !== large.kind || isBack(s.catalog, piece)) shrink(s);
}

/**
 * Returns where a piece is drawn: in the strip, or else on the table.
 * @param {State} s
 * @param {number} id
 */
function placeIn(s, id) {
  const of = s.page.handStrip.querySelector(`[data-card="${id}"]`) ?? s.view.shown.get(id)?.el;
  if (!of) return null;
  const { left, top, right, bottom, width, height } = of.getBoundingClientRect();
  return { left, top, right, bottom, width, height, of };
}

/**
 * Returns the corner of the large picture: above a card of the strip, beside one on the table.
 * @param {{left: number, top: number, right: number, bottom: number}} at
 * @param {number} width
 * @param {number} height
 * @param {boolean} above
 */
function spotFor(at, width, height, above) {
  const across = (at.left + at.right - width) / 2;
  const fits = at.right + GAP + width + GAP <= innerWidth;
  const x = above ? across : fits ? at.right + GAP : at.left - GAP - width;
  const y = above ? at.top - GAP - height : (at.top + at.bottom - height) / 2;
  return {
    x: clamp(x, GAP, innerWidth - width - GAP),
    y: clamp(y, GAP, innerHeight - height - GAP),
  };
}

/**
 * Listens to the mouse and to Shift+Z.
 * @param {State} s
 * @returns {() => void} stops
 */
export function bindEnlarging(s) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let over = 0;
  /** Where the mouse was at the last press or key. @type {{x: number, y: number}|null} */
  let stood = null;
  let [px, py] = [0, 0];
  const hide = () => {
    clearTimeout(timer);
    shrink(s);
  };
  const rest = () => {
    hide();
    over = 0;
    stood = { x: px, y: py };
  };
  const moved = (/** @type {PointerEvent} */ e) => {
    [px, py] = [e.clientX, e.clientY];
    if (e.pointerType !== 'mouse' || s.input.touch) return;
    if (stood && Math.hypot(px - stood.x, py - stood.y) < AWAY) return;
    stood = null;
    const element = /** @type {Element} */ (e.target).closest('[data-card], [data-piece]');
    const id = Number(
      element?.getAttribute('data-card') ?? element?.getAttribute('data-piece') ?? 0,
    );
    if (id === over) return;
    over = id;
    hide();
    if (id !== 0 && e.buttons === 0)
      timer = setTimeout(() => {
        if (!s.input.carry && !s.input.band && over === id) enlarge(s, id);
      }, REST);
  };
  const pressed = (/** @type {KeyboardEvent} */ e) => {
    if (MODIFIERS.has(e.key)) return;
    const isKey = e.code === 'KeyZ' && e.shiftKey && !e.ctrlKey && !e.altKey && !e.metaKey;
    const shown = cardsOf(s).large?.id;
    rest();
    const target = /** @type {Element} */ (e.target);
    if (!isKey || target.closest('input, textarea, select, dialog')) return;
    const [piece] = targets(s);
    if (!piece || kindOf(s, piece).clock) return;
    e.preventDefault(); // the letter alone means something else
    if (piece.id !== shown) enlarge(s, piece.id);
  };
  onRename(s, () => hide());
  eachFrame(s, () => {
    shrinkIfChanged(s); // whatever has changed the card, a frame follows
    return false;
  });
  return all(
    on(s.page.main, 'pointermove', moved),
    on(document, 'pointerdown', rest, { capture: true }),
    on(document, 'wheel', rest, { capture: true, passive: true }),
    on(document, 'keydown', pressed, { capture: true }),
    on(s.page.window, 'scroll', hide, { passive: true }),
    on(document.documentElement, 'pointerleave', () => {
      over = 0;
      hide();
    }),
    hide,
  );
}
