// This person's own hand on a small screen: a strip at the lower edge, with cards large enough for
// fingers. A drag along the strip reorders them. A drag out of it plays them. The strip is for
// pointers only: keys and screen readers use the pieces themselves.

import * as carry from '../../input/drag.js';
import { faceAt, kindAt, artOf } from '../../view/catalog.js';
import { all, el, isSmall, on, setAttr } from '../../view/dom.js';
import { bindDoubleTap } from '../../input/doubletap.js';
import { along, row } from './fan.js';
import { toTable, turned } from '../../view/geometry.js';
import { cardsIn, closeUp, handsOf, layOut, placeOf, play } from './hand.js';
import { refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { focusOn, select, toggle } from '../../input/select.js';
import { drawWithBars, invalidateBars } from '../../bars/state.js';
import { onEvent, onRename } from '../../listeners.js';
import { noteTouch } from '../../input/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * The height of a card in the strip, and the free space above it, in px. A selected card is raised
 * into that space.
 */
const CARD = 104;
const ABOVE = 14;

/**
 * How far a finger may move before a press becomes a drag, and how far beyond the edge of the strip
 * before the card leaves it, in px.
 */
const SLOP = 8;
const OUT = 12;

/** How far above the finger a card is dragged, so that it stays visible, in px. */
const ALOFT = 34;

/**
 * A press on the strip.
 * @typedef {object} Press
 * @property {number} pointer its id
 * @property {number} id the card
 * @property {number} x where it began, in the page
 * @property {number} y
 * @property {number} dx how far it has moved
 * @property {number} dy
 * @property {'press'|'drag'|'out'|'spent'} mode
 */

/** Returns this person's own hand. @param {State} s */
function handIn(s) {
  return handsOf(s).find((h) => h.owner === s.sync.you);
}

/**
 * Reports whether the strip is visible: on a small screen, when there are cards.
 * @param {State} s
 */
export function isStripShown(s) {
  const hand = isSmall() ? handIn(s) : undefined;
  return hand !== undefined && cardsIn(s, hand).length > 0;
}

/**
 * Returns where a piece lands that is dropped over the strip: its place in the hand between the
 * cards there. It returns null outside the strip.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 * @returns {{x: number, y: number}|null}
 */
export function placeOver(s, px, py) {
  const { handStrip } = s.page;
  const hand = handIn(s);
  if (handStrip.hidden || !hand || py < handStrip.getBoundingClientRect().top) return null;
  return placeAt(s, hand, cardsIn(s, hand), px);
}

/**
 * Returns the place in a hand that corresponds to a point along the strip.
 * @param {State} s
 * @param {Piece} hand
 * @param {Piece[]} cards
 * @param {number} px
 */
function placeAt(s, hand, cards, px) {
  const place = placeOf(s, hand);
  const points = pointsFor(s, cards);
  const i = points.findIndex((p) => p.x > px);
  const before = cards[(i < 0 ? cards.length : i) - 1];
  const after = i < 0 ? undefined : cards[i];
  const lo = before ? along(before, place) : -place.width / 2;
  const hi = after ? along(after, place) : place.width / 2;
  const v = turned((lo + hi) / 2, 0, place.angle);
  return { x: hand.x + v.x, y: hand.y + v.y };
}

/**
 * Returns the middles of cards in the strip, in px of the page.
 * @param {State} s
 * @param {Piece[]} cards
 */
function pointsFor(s, cards) {
  if (cards.length === 0) return [];
  const { width, height } = kindAt(s.catalog, cards[0].kind);
  const card = { width: (CARD * width) / height, height: CARD };
  const { left, w } = s.view.camera;
  const wide = w - 12;
  return row(cards.length, card, {
    x: left + w / 2, y: ABOVE + CARD / 2, width: wide + card.width * 0.24, height: CARD, angle: 0,
  });
}

/**
 * Draws the strip and handles pointer events on it.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bindHandStrip(s, voice) {
  const { handStrip, main } = s.page;
  /** @type {Map<number, {root: HTMLElement, img: HTMLImageElement}>} */
  const shown = new Map();
  /** @type {Press|null} */
  let press = null;
  const taps = bindDoubleTap(s, handStrip);

  const cards = () => {
    const hand = handIn(s);
    const lying = hand ? cardsIn(s, hand) : [];
    const out = press?.mode === 'out' ? press.id : 0;
    return lying.filter((p) => p.id !== out);
  };

  const draw = () => {
    const hand = isSmall() && s.ready ? handIn(s) : undefined;
    const lying = hand ? cards() : [];
    const visible = lying.length > 0 || (hand !== undefined && press !== null);
    if (handStrip.hidden === visible) {
      handStrip.hidden = !visible;
      main.classList.toggle('lapped', visible);
    }
    const wanted = new Set(lying.map((p) => p.id));
    for (const [id, { root }] of shown) {
      if (wanted.has(id)) continue;
      root.remove();
      shown.delete(id);
    }
    if (!visible) return;
    const order = press?.mode === 'drag' ? reordered(lying) : lying;
    const points = pointsFor(s, order);
    for (const [i, p] of order.entries()) place(p, points[i].x, i);
  };

  /**
   * Returns the cards in the order that dropping the dragged one would produce.
   * @param {Piece[]} lying
   */
  const reordered = (lying) => {
    const dragged = lying.find((p) => p.id === press?.id);
    if (!dragged || !press) return lying;
    const others = lying.filter((p) => p !== dragged);
    const points = pointsFor(s, lying);
    const x = points[lying.indexOf(dragged)].x + press.dx;
    const at = pointsFor(s, others).filter((p) => p.x < x).length;
    return [...others.slice(0, at), dragged, ...others.slice(at)];
  };

  const place = (/** @type {Piece} */ p, /** @type {number} */ x, /** @type {number} */ i) => {
    const k = kindAt(s.catalog, p.kind);
    const w = (CARD * k.width) / k.height;
    let card = shown.get(p.id);
    if (!card) {
      const img = el('img', { alt: '', draggable: 'false' });
      const root = el('span', { class: 'lap-card' }, img);
      card = { root, img };
      shown.set(p.id, card);
      handStrip.append(root);
    }
    setAttr(card.root, 'data-card', p.id);
    setAttr(card.img, 'src', artOf(s.catalog, faceAt(k, p.face)));
    card.root.classList.toggle('selected', s.input.selection.has(p.id));
    const isDragged = press?.mode === 'drag' && press.id === p.id;
    card.root.classList.toggle('dragged', isDragged);
    const { style } = card.root;
    style.width = `${w}px`;
    style.height = `${CARD}px`;
    style.zIndex = String(isDragged ? 1000 : i + 1);
    style.transform = isDragged && press
      ? `translate(${startX(p) + press.dx - w / 2}px, ${ABOVE + press.dy}px)`
      : `translate(${x - w / 2}px, ${s.input.selection.has(p.id) ? 2 : ABOVE}px)`;
  };

  /** Returns where a card lay in the strip when it was pressed. @param {Piece} p */
  const startX = (p) => {
    const lying = cards();
    return pointsFor(s, lying)[lying.indexOf(p)]?.x ?? 0;
  };

  const redraw = () => {
    invalidateBars(s);
    s.redraw();
  };

  const down = (/** @type {PointerEvent} */ e) => {
    const id = Number(
      /** @type {Element} */ (e.target).closest('[data-card]')?.getAttribute('data-card') ?? 0,
    );
    if (press || !s.sync.pieces.has(id)) return;
    noteTouch(s, e);
    if (s.input.carry) carry.end(s);
    press = { pointer: e.pointerId, id, x: e.clientX, y: e.clientY, dx: 0, dy: 0, mode: 'press' };
    handStrip.setPointerCapture(e.pointerId);
  };

  const move = (/** @type {PointerEvent} */ e) => {
    const p = press;
    if (!p || e.pointerId !== p.pointer) return;
    p.dx = e.clientX - p.x;
    p.dy = e.clientY - p.y;
    if (p.mode === 'press' && Math.hypot(p.dx, p.dy) > SLOP) p.mode = 'drag';
    const isOut = e.clientY < handStrip.getBoundingClientRect().top - OUT;
    if (p.mode === 'drag' && isOut) lift(p, e);
    if (p.mode === 'out') {
      if (s.input.carry) carry.move(s, e.clientX, e.clientY);
      else p.mode = 'spent'; // the hold has ended
    }
    redraw();
  };

  /**
   * Takes the card out of the strip. From now on the piece itself is dragged.
   * @param {Press} p
   * @param {PointerEvent} e
   */
  const lift = (p, e) => {
    const ids = s.input.selection.has(p.id) ? [...s.input.selection] : [p.id];
    if (!s.input.selection.has(p.id) && s.input.selection.size > 0) select(s, []);
    const grip = toTable(s.view.camera, e.clientX, e.clientY - ALOFT);
    const no = carry.start(s, p.id, ids, { by: 'pointer', px: e.clientX, py: e.clientY });
    if (no) explain(s, no, voice);
    if (!s.input.carry) {
      p.mode = 'spent';
      return;
    }
    carry.gather(s, grip);
    p.mode = 'out';
  };

  const up = (/** @type {PointerEvent} */ e) => {
    const p = press;
    if (!p || e.pointerId !== p.pointer) return;
    press = null;
    redraw();
    if (p.mode === 'out') {
      const at = placeOver(s, e.clientX, e.clientY);
      if (at) carry.gather(s, at);
      carry.end(s);
    } else if (p.mode === 'drag') {
      press = p;
      const order = reordered(cards());
      press = null;
      const hand = handIn(s);
      if (hand) layOut(s, hand, order);
    } else if (p.mode === 'press') tap(p.id, e.timeStamp);
  };

  const tap = (/** @type {number} */ id, /** @type {number} */ time) => {
    const piece = s.sync.pieces.get(id);
    const hand = handIn(s);
    if (taps.isSecond(id, time) && piece && hand && !refusal(s, piece, 'move')) {
      play(s, [piece], false);
      closeUp(s, hand);
      select(s, []);
      return;
    }
    focusOn(s, id);
    if (s.input.many) toggle(s, id);
    else select(s, s.input.selection.has(id) && s.input.selection.size === 1 ? [] : [id]);
  };

  const cancel = (/** @type {PointerEvent} */ e) => {
    if (e.pointerId !== press?.pointer) return;
    if (press.mode === 'out') carry.cancel(s);
    press = null;
    redraw();
  };

  drawWithBars(s, draw);
  onEvent(s, (event) => {
    // Other updates change nothing here. So others may drag pieces without redrawing the strip.
    const piece = event.type === 'update' ? s.sync.pieces.get(event.piece) : undefined;
    const mine = event.type === 'update' &&
      (event.before?.owner === s.sync.you || piece?.owner === s.sync.you);
    if (mine || event.type === 'holds' || event.type === 'made') invalidateBars(s);
  });
  onRename(s, (from, to) => {
    const card = shown.get(from);
    if (card) {
      shown.delete(from);
      shown.set(to, card);
    }
    if (press?.id === from) press.id = to;
  });
  return all(
    on(handStrip, 'pointerdown', down), on(handStrip, 'pointermove', move),
    on(handStrip, 'pointerup', up),
    on(handStrip, 'pointercancel', cancel), taps.stop,
  );
}
