// This person's own hand on a small screen: a strip at the lower edge, with cards large enough for
// fingers. A drag along the strip reorders them. A drag out of it plays them. The strip is for
// pointers only: keys and screen readers use the pieces themselves.

import * as carry from '../../input/drag.js';
import { faceAt, kindAt, kindOf, artOf } from '../../view/catalog.js';
import { all, el, isSmall, on, setAttr } from '../../view/dom.js';
import { bindDoubleTap } from '../../input/doubletap.js';
import { along, row } from './fan.js';
import { toTable, turned } from '../../view/geometry.js';
import { cardsIn, closeUp, handsOf, layOut, placeOf, play } from './hand.js';
import { refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { focusOn, select, toggle } from '../../input/select.js';
import { drawWithBars, invalidateBars, redrawBars } from '../../bars/state.js';
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
 * The strip.
 * @typedef {object} Strip
 * @property {State} s
 * @property {Voice} voice
 * @property {ReturnType<typeof bindDoubleTap>} taps
 * @property {Map<number, {root: HTMLElement, img: HTMLImageElement}>} shown
 * @property {Press|null} press
 */

/**
 * Draws the strip and handles pointer events on it.
 * @param {State} s
 * @param {Voice} voice
 * @returns {() => void} stops
 */
export function bindHandStrip(s, voice) {
  const { handStrip } = s.page;
  const taps = bindDoubleTap(s, handStrip);
  /** @type {Strip} */
  const strip = { s, voice, taps, shown: new Map(), press: null };
  /** @param {string} type @param {(strip: Strip, p: Press, e: PointerEvent) => void} handle */
  const ofPress = (type, handle) =>
    on(handStrip, type, (/** @type {PointerEvent} */ e) => {
      const { press } = strip;
      if (press?.pointer === e.pointerId) handle(strip, press, e);
    });
  drawWithBars(s, () => draw(strip));
  onEvent(s, (event) => {
    // Other updates change nothing here. So others may drag pieces without redrawing the strip.
    const piece = event.type === 'update' ? s.sync.pieces.get(event.piece) : undefined;
    const mine = event.type === 'update' &&
      (event.before?.owner === s.sync.you || piece?.owner === s.sync.you);
    if (mine || event.type === 'holds' || event.type === 'made') invalidateBars(s);
  });
  onRename(s, (from, to) => {
    const card = strip.shown.get(from);
    if (card) {
      strip.shown.delete(from);
      strip.shown.set(to, card);
    }
    if (strip.press?.id === from) strip.press.id = to;
  });
  return all(
    on(handStrip, 'pointerdown', (/** @type {PointerEvent} */ e) => down(strip, e)),
    ofPress('pointermove', move),
    ofPress('pointerup', up),
    ofPress('pointercancel', cancel),
    taps.stop,
  );
}

/** The cards in the strip: without one that is dragged out of it. @param {Strip} strip */
function cards({ s, press }) {
  const hand = handIn(s);
  const lying = hand ? cardsIn(s, hand) : [];
  const out = press?.mode === 'out' ? press.id : 0;
  return lying.filter((p) => p.id !== out);
}

/** @param {Strip} strip */
function draw(strip) {
  const { s, press, shown } = strip;
  const { handStrip, main } = s.page;
  const hand = isSmall() && s.ready ? handIn(s) : undefined;
  const lying = hand ? cards(strip) : [];
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
  const order = press?.mode === 'drag' ? reordered(s, press, lying) : lying;
  const points = pointsFor(s, order);
  for (const [i, p] of order.entries()) drawCard(strip, p, points[i].x, i);
}

/**
 * Returns the cards in the order that dropping the dragged one would produce.
 * @param {State} s
 * @param {Press} press
 * @param {Piece[]} lying
 */
function reordered(s, press, lying) {
  const dragged = lying.find((p) => p.id === press.id);
  if (!dragged) return lying;
  const others = lying.filter((p) => p !== dragged);
  const points = pointsFor(s, lying);
  const x = points[lying.indexOf(dragged)].x + press.dx;
  const at = pointsFor(s, others).filter((p) => p.x < x).length;
  return [...others.slice(0, at), dragged, ...others.slice(at)];
}

/**
 * Draws a card.
 * @param {Strip} strip
 * @param {Piece} p
 * @param {number} x its place, unless it is dragged
 * @param {number} i its index
 */
function drawCard(strip, p, x, i) {
  const { s, press } = strip;
  const k = kindOf(s, p);
  const w = (CARD * k.width) / k.height;
  const { root, img } = elementsOf(strip, p);
  const isSelected = s.input.selection.has(p.id);
  const dragged = press?.mode === 'drag' && press.id === p.id ? press : null;
  setAttr(root, 'data-card', p.id);
  setAttr(img, 'src', artOf(s.catalog, faceAt(k, p.face)));
  root.classList.toggle('selected', isSelected);
  root.classList.toggle('dragged', dragged !== null);
  const { style } = root;
  style.width = `${w}px`;
  style.height = `${CARD}px`;
  style.zIndex = String(dragged ? 1000 : i + 1);
  style.transform = dragged
    ? `translate(${startX(strip, p) + dragged.dx - w / 2}px, ${ABOVE + dragged.dy}px)`
    : `translate(${x - w / 2}px, ${isSelected ? 2 : ABOVE}px)`;
}

/** Returns the elements of a card. @param {Strip} strip @param {Piece} p */
function elementsOf({ s, shown }, p) {
  let card = shown.get(p.id);
  if (!card) {
    const img = el('img', { alt: '', draggable: 'false' });
    card = { root: el('span', { class: 'lap-card' }, img), img };
    shown.set(p.id, card);
    s.page.handStrip.append(card.root);
  }
  return card;
}

/**
 * Returns where a card lay in the strip when it was pressed.
 * @param {Strip} strip
 * @param {Piece} p
 */
function startX(strip, p) {
  const lying = cards(strip);
  return pointsFor(strip.s, lying)[lying.indexOf(p)]?.x ?? 0;
}

/** @param {Strip} strip @param {PointerEvent} e */
function down(strip, e) {
  const { s } = strip;
  const target = /** @type {Element} */ (e.target).closest('[data-card]');
  const id = Number(target?.getAttribute('data-card') ?? 0);
  if (strip.press || !s.sync.pieces.has(id)) return;
  noteTouch(s, e);
  if (s.input.carry) carry.end(s);
  const { pointerId: pointer, clientX: x, clientY: y } = e;
  strip.press = { pointer, id, x, y, dx: 0, dy: 0, mode: 'press' };
  s.page.handStrip.setPointerCapture(pointer);
}

/** @param {Strip} strip @param {Press} press @param {PointerEvent} e */
function move({ s, voice }, press, e) {
  press.dx = e.clientX - press.x;
  press.dy = e.clientY - press.y;
  if (press.mode === 'press' && Math.hypot(press.dx, press.dy) > SLOP) press.mode = 'drag';
  const isOut = e.clientY < s.page.handStrip.getBoundingClientRect().top - OUT;
  if (press.mode === 'drag' && isOut) lift(s, voice, press, e);
  if (press.mode === 'out') {
    if (s.input.carry) carry.move(s, e.clientX, e.clientY);
    else press.mode = 'spent'; // the hold has ended
  }
  redrawBars(s);
}

/**
 * Takes the card out of the strip. From now on the piece itself is dragged.
 * @param {State} s
 * @param {Voice} voice
 * @param {Press} press
 * @param {PointerEvent} e
 */
function lift(s, voice, press, e) {
  const { selection } = s.input;
  const isSelected = selection.has(press.id);
  const ids = isSelected ? [...selection] : [press.id];
  if (!isSelected && selection.size > 0) select(s, []);
  const grip = toTable(s.view.camera, e.clientX, e.clientY - ALOFT);
  const no = carry.start(s, press.id, ids, { by: 'pointer', px: e.clientX, py: e.clientY });
  if (no) explain(s, no, voice);
  press.mode = s.input.carry ? 'out' : 'spent';
  if (s.input.carry) carry.gather(s, grip);
}

/** @param {Strip} strip @param {Press} press @param {PointerEvent} e */
function up(strip, press, e) {
  const { s } = strip;
  strip.press = null;
  redrawBars(s);
  if (press.mode === 'out') {
    const at = placeOver(s, e.clientX, e.clientY);
    if (at) carry.gather(s, at);
    carry.end(s);
  } else if (press.mode === 'drag') {
    const hand = handIn(s);
    if (hand) layOut(s, hand, reordered(s, press, cards(strip)));
  } else if (press.mode === 'press') tap(strip, press.id, e.timeStamp);
}

/** @param {Strip} strip @param {number} id @param {number} time */
function tap({ s, taps }, id, time) {
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
}

/** @param {Strip} strip @param {Press} press */
function cancel(strip, press) {
  if (press.mode === 'out') carry.cancel(strip.s);
  strip.press = null;
  redrawBars(strip.s);
}
