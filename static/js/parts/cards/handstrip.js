// This person's own hand: a strip at the lower edge of the window, with cards that can be read and
// touched. A drag along the strip reorders them, a drag out of it plays them, and what is dropped
// on it comes into the hand. Keys and screen readers use the pieces themselves, which lie under the
// strip. It shows which piece has the focus, so that keys can be followed there.

import * as carry from '../../input/drag.js';
import { faceAt, kindAt, kindOf, artOf } from '../../view/catalog.js';
import { css } from '../../view/colour.js';
import { all, el, isSmall, on, setAttr } from '../../view/dom.js';
import { bindDoubleTap } from '../../input/doubletap.js';
import { along, inside, row } from './fan.js';
import { turned, toTable } from '../../view/geometry.js';
import { nameOf, written } from '../../view/describe.js';
import { OWN, OWN_SMALL } from '../../view/camera.js';
import { eachFrame } from '../../view/state.js';
import { cardsIn, closeUp, handsOf, layOut, placeOf, play } from './hand.js';
import { enlarge, shrink } from './enlarge.js';
import { arrangeRack, freeOn, nearest, rackIn, tilesIn, tilesOn } from './rackstrip.js';
import { msg } from './msg.js';
import { cardsOf } from './state.js';
import { isPrivate } from '../../sync/kinds.js';
import { maskOf, refusal } from '../../input/ops.js';
import { explain } from '../../reasons.js';
import { isHand, isInMyHand } from '../../rights.js';
import { focusOn, focused, select, toggle } from '../../input/select.js';
import { drawWithBars, invalidateBars, redrawBars } from '../../bars/state.js';
import { onEvent, onRename } from '../../listeners.js';
import { hoverOver, noteTouch } from '../../input/state.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../bars/say.js').Voice} Voice */

/**
 * Sizes in px: the height of a card, the free space above it, into which a selected card is raised,
 * the height of the strip, and its greatest width.
 */
const SMALL = { card: 104, above: 14, height: OWN_SMALL, width: Number.POSITIVE_INFINITY };
const LARGE = { card: 122, above: 18, height: OWN, width: 1000 };

/** The height of the strip while it is only a place to drop something, in px. */
const SLIM = 56;

/** How much room on both sides of the strip is for the bar of the view, in px. */
const BESIDE = 76;

/** The size of another piece than a card, and the distance of two of them, in px. */
const OTHER = 52;
const OTHER_STEP = 58;

/** How the cards are fanned: degrees from one to the next, in all at most, and how far they sag. */
const FAN = { step: 0.7, most: 7, sag: 5 };

/** Milliseconds after which a resting finger means: show this card large. */
const LONG = 450;

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
 * @property {boolean} add Shift was down
 * @property {'press'|'drag'|'out'|'spent'} mode
 * @property {ReturnType<typeof setTimeout>|undefined} timer of a long press
 */

/** Returns this person's own hand; in a small window also their rack. @param {State} s */
function handIn(s) {
  return handsOf(s).find((h) => h.owner === s.sync.you) ?? (isSmall() ? rackIn(s) : undefined);
}

/** Returns whether a hand is a rack. @param {State} s @param {Piece} [hand] */
function isRack(s, hand) {
  return hand !== undefined && kindOf(s, hand).rack === true;
}

/** Returns the cards of a hand, or the tiles of a rack, in their order. */
function contentOf(/** @type {State} */ s, /** @type {Piece} */ hand) {
  return isRack(s, hand) ? tilesOn(s, hand) : cardsIn(s, hand);
}

/** Lays out a hand or a rack in an order. */
function arrangeIn(
  /** @type {State} */ s, /** @type {Piece} */ hand, /** @type {Piece[]} */ order,
) {
  if (isRack(s, hand)) arrangeRack(s, hand, order);
  else layOut(s, hand, order);
}

/**
 * Returns the size of tiles in the strip, and their middles.
 * @param {State} s
 * @param {Piece[]} tiles
 */
function layTiles(s, tiles) {
  const k = tiles.length > 0 ? kindAt(s.catalog, tiles[0].kind) : { width: 1, height: 1 };
  return tilesIn(tiles.length, k, { ...extent(s), height: sizes().height });
}

/** Returns the sizes for this window. */
const sizes = () => (isSmall() ? SMALL : LARGE);

/**
 * Reports whether a piece is drawn in the strip.
 * @param {State} s
 * @param {number} id
 */
export function isInStrip(s, id) {
  return s.page.handStrip.querySelector(`[data-card="${id}"]`) !== null;
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
  if (!isOver(s, px, py)) return null;
  const { hand, lying, others } = contentsOf(s);
  return hand ? placeAt(s, hand, lying, others, px) : null;
}

/**
 * Reports whether a point lies over the strip. It looks at no piece.
 * @param {State} s
 * @param {number} px
 * @param {number} py
 */
function isOver(s, px, py) {
  if (s.page.handStrip.hidden || py < topOf(s)) return false;
  const { middle, width } = extent(s);
  return Math.abs(px - middle) <= width / 2;
}

/**
 * Returns the upper edge of the strip, in px of the page. It is measured when the strip has another
 * height, or the window another size, and not in each frame.
 * @param {State} s
 */
function topOf(s) {
  const { page: { handStrip }, view: { camera: { top, w, h } } } = s;
  const { edge } = cardsOf(s);
  const key = `${edge.height} ${top} ${w} ${h}`;
  if (edge.key !== key) {
    edge.key = key;
    edge.top = handStrip.getBoundingClientRect().top;
  }
  return edge.top;
}

/**
 * Returns the place in a hand that corresponds to a point along the strip.
 * @param {State} s
 * @param {Piece} hand
 * @param {Piece[]} cards
 * @param {Piece[]} others
 * @param {number} px
 */
function placeAt(s, hand, cards, others, px) {
  if (isRack(s, hand)) return freeOn(s, hand);
  const place = placeOf(s, hand);
  const points = pointsFor(s, cards, others);
  const i = points.findIndex((p) => p.x > px);
  const before = cards[(i < 0 ? cards.length : i) - 1];
  const after = i < 0 ? undefined : cards[i];
  const lo = before ? along(before, place) : -place.width / 2;
  const hi = after ? along(after, place) : place.width / 2;
  const v = turned((lo + hi) / 2, 0, place.angle);
  return { x: hand.x + v.x, y: hand.y + v.y };
}

/** Returns the middle and the width of the strip, in px of the page. @param {State} s */
function extent(s) {
  const { left, w } = s.view.camera;
  const beside = isSmall() ? 0 : BESIDE;
  return { middle: left + w / 2, width: Math.min(w - 2 * beside, sizes().width) };
}

/**
 * Returns the middles of cards in the strip, in px of the page, and their angles in degrees.
 * @param {State} s
 * @param {Piece[]} cards
 * @param {Piece[]} beside the other pieces, which lie beside them
 * @returns {{x: number, y: number, angle: number}[]}
 */
function pointsFor(s, cards, beside) {
  if (cards.length === 0) return [];
  if (isRack(s, handIn(s))) return layTiles(s, cards).points;
  const { card: height, above } = sizes();
  const k = kindAt(s.catalog, cards[0].kind);
  const card = { width: (height * k.width) / k.height, height };
  const { middle, width } = extent(s);
  const others = beside.length * OTHER_STEP;
  const points = row(cards.length, card, {
    x: middle + others / 2, y: above + height / 2,
    width: width - others - 24 + card.width * 0.24, height, angle: 0,
  });
  const n = points.length;
  const spread = Math.min(FAN.most, FAN.step * (n - 1));
  return points.map(({ x, y }, i) => {
    const t = n > 1 ? (i / (n - 1)) * 2 - 1 : 0;
    return { x, y: y + FAN.sag * t * t, angle: (spread / 2) * t };
  });
}

/**
 * Returns what the strip shows: this person's hand, its cards, and the pieces in it that are none.
 * @param {State} s
 * @param {Press|null} [press] a card that it drags out of the strip is missing
 * @returns {{hand: Piece|undefined, lying: Piece[], others: Piece[]}}
 */
function contentsOf(s, press) {
  const hand = handIn(s);
  const cards = hand ? contentOf(s, hand) : [];
  const out = press?.mode === 'out' ? press.id : 0;
  return {
    hand,
    lying: cards.filter((p) => p.id !== out),
    // without cards nothing covers them
    others: hand && cards.length > 0 && !isRack(s, hand) ? othersIn(s, hand) : [],
  };
}

/**
 * Returns the pieces in this person's hand that are no cards.
 * @param {State} s
 * @param {Piece} hand
 */
function othersIn(s, hand) {
  const place = placeOf(s, hand);
  return [...s.sync.pieces.values()].filter((p) =>
    p.owner === hand.owner && p.holder === 0 && p.id !== hand.id && maskOf(s, p) < 0 &&
    isInMyHand(s, p) && inside(p, place)).sort((a, b) => along(a, place) - along(b, place));
}

/**
 * The strip.
 * @typedef {object} Strip
 * @property {State} s
 * @property {Voice} voice
 * @property {ReturnType<typeof bindDoubleTap>} taps
 * @property {Map<number, {root: HTMLElement, img: HTMLImageElement}>} shown
 * @property {Press|null} press
 * @property {number} gap before which card something is about to be dropped; -1: nothing is
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
  const strip = { s, voice, taps, shown: new Map(), press: null, gap: -1 };
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
  eachFrame(s, () => {
    const gap = gapUnder(strip);
    if (gap !== strip.gap) {
      strip.gap = gap;
      draw(strip);
    }
    return false;
  });
  const focusMoved = () => redrawBars(s);
  return all(
    on(s.page.outer, 'focusin', focusMoved),
    on(s.page.outer, 'focusout', focusMoved),
    on(document, 'keydown', (/** @type {KeyboardEvent} */ e) => onKey(strip, e), { capture: true }),
    on(handStrip, 'pointerover', (/** @type {PointerEvent} */ e) => {
      if (e.pointerType === 'mouse') hoverOver(s, cardOf(e));
    }),
    on(handStrip, 'pointerleave', () => hoverOver(s, 0)),
    on(handStrip, 'pointerdown', (/** @type {PointerEvent} */ e) => down(strip, e)),
    ofPress('pointermove', move),
    ofPress('pointerup', up),
    ofPress('pointercancel', cancel),
    taps.stop,
  );
}

/** Reports whether this person drags something that may come into a hand. @param {State} s */
function dragsCard(s) {
  const { carry: c } = s.input;
  if (s.parts.cards?.fetch.isFetching(s)) return true;
  if (c?.by !== 'pointer') return false;
  return [...c.from.keys()].some((id) => {
    const p = s.sync.pieces.get(id);
    return p !== undefined && isPrivate(s, p.kind) && kindOf(s, p).weight === 'light';
  });
}

/**
 * Returns before which card the dragged piece would come into the hand; -1 if it would not.
 * @param {Strip} strip
 */
function gapUnder({ s, press }) {
  const { carry: c } = s.input;
  if (c?.by !== 'pointer' || !isOver(s, c.px, c.py) || !dragsCard(s)) return -1;
  const { hand, lying, others } = contentsOf(s, press);
  if (isRack(s, hand)) return lying.length;
  return hand ? pointsFor(s, lying, others).filter((p) => p.x <= c.px).length : -1;
}

/** @type {ReturnType<typeof contentsOf>} */
const NOTHING = { hand: undefined, lying: [], others: [] };

/** @param {Strip} strip */
function draw(strip) {
  const { s, press, shown, gap } = strip;
  const { handStrip, main } = s.page;
  const { hand, lying, others } = s.ready ? contentsOf(s, press) : NOTHING;
  const isSlim = lying.length === 0 && hand !== undefined && press === null && dragsCard(s);
  const visible = lying.length > 0 || isSlim || (hand !== undefined && press !== null);
  handStrip.hidden = !visible;
  main.classList.toggle('lapped', visible);
  handStrip.classList.toggle('slim', isSlim);
  handStrip.classList.toggle('inviting', gap >= 0);
  const height = visible ? (isSlim ? SLIM : sizes().height) : 0;
  cardsOf(s).edge.height = height;
  document.documentElement.style.setProperty('--hand-block-size', `${height}px`);
  const wanted = new Set([...lying, ...others].map((p) => p.id));
  for (const [id, { root }] of shown) {
    if (wanted.has(id)) continue;
    root.remove();
    shown.delete(id);
  }
  if (!visible) return;
  const { width } = extent(s);
  const seat = s.sync.seats.get(s.sync.you);
  handStrip.style.setProperty('--strip-width', `${width}px`);
  handStrip.style.setProperty('--owner', seat ? css(seat.colour) : 'transparent');
  setAttr(handStrip, 'data-hint', isSlim ? msg('cards.strip.drop') : null);
  const order = press?.mode === 'drag' ? reordered(s, press, lying, others) : lying;
  drawCards(strip, order, others, gap);
  drawOthers(strip, others);
}

/**
 * Draws the cards, and leaves room for one that is about to be dropped between them.
 * @param {Strip} strip
 * @param {Piece[]} order
 * @param {Piece[]} others
 * @param {number} gap
 */
function drawCards(strip, order, others, gap) {
  const all = gap < 0 || order.length === 0 ? order : [...order, order[0]];
  const points = pointsFor(strip.s, all, others);
  for (const [i, p] of order.entries())
    drawCard(strip, p, points[gap >= 0 && i >= gap ? i + 1 : i], i, sizeOf(strip.s, all));
}

/** Returns the size of cards or tiles in the strip. @param {State} s @param {Piece[]} all */
function sizeOf(s, all) {
  if (isRack(s, handIn(s))) return layTiles(s, all);
  const k = kindAt(s.catalog, all[0].kind);
  const { card: h } = sizes();
  return { w: (h * k.width) / k.height, h };
}

/**
 * Draws the other pieces in the hand, at the left of the cards.
 * @param {Strip} strip
 * @param {Piece[]} others
 */
function drawOthers(strip, others) {
  const { s } = strip;
  const { middle, width } = extent(s);
  const { card, above } = sizes();
  others.forEach((p, i) => {
    const k = kindOf(s, p);
    const scale = OTHER / Math.max(k.width, k.height);
    const x = middle - width / 2 + 16 + OTHER / 2 + i * OTHER_STEP;
    const { root } = drawFace(strip, p, k.width * scale, k.height * scale);
    root.classList.add('other');
    setAttr(root, 'data-value', p.value === undefined ? null : written(p.value));
    root.style.transform = placed(x, above + card / 2, k.width * scale, k.height * scale, 0);
  });
}

/**
 * Returns the transform that lays a card with its middle at a point.
 * @param {number} x @param {number} y @param {number} w @param {number} h @param {number} angle
 */
function placed(x, y, w, h, angle) {
  return `translate(${x - w / 2}px, ${y - h / 2}px) rotate(${angle}deg)`;
}

/**
 * Returns the cards in the order that dropping the dragged one would produce.
 * @param {State} s
 * @param {Press} press
 * @param {Piece[]} lying
 * @param {Piece[]} others
 */
function reordered(s, press, lying, others) {
  const dragged = lying.find((p) => p.id === press.id);
  if (!dragged) return lying;
  const rest = lying.filter((p) => p !== dragged);
  const points = pointsFor(s, lying, others);
  const from = points[lying.indexOf(dragged)];
  const x = from.x + press.dx;
  if (isRack(s, handIn(s))) {
    const to = nearest(points, { x, y: from.y + press.dy });
    return [...rest.slice(0, to), dragged, ...rest.slice(to)];
  }
  const at = pointsFor(s, rest, others).filter((p) => p.x < x).length;
  return [...rest.slice(0, at), dragged, ...rest.slice(at)];
}

/**
 * Draws a card.
 * @param {Strip} strip
 * @param {Piece} p
 * @param {{x: number, y: number, angle: number}} at its place, unless it is dragged
 * @param {number} i its index
 * @param {{w: number, h: number}} size
 */
function drawCard(strip, p, at, i, { w, h }) {
  const { s, press } = strip;
  const { root } = drawFace(strip, p, w, h);
  const isSelected = s.input.selection.has(p.id);
  const dragged = press?.mode === 'drag' && press.id === p.id ? press : null;
  root.classList.toggle('dragged', dragged !== null);
  root.style.zIndex = String(dragged ? 1000 : i + 1);
  const start = dragged ? startOf(strip, p) : at;
  const isRaised = isSelected && !isRack(s, handIn(s));
  root.style.transform = dragged
    ? placed(start.x + dragged.dx, start.y + dragged.dy, w, h, 0)
    : placed(at.x, isRaised ? h / 2 + 3 : at.y, w, h, at.angle);
}

/**
 * Draws the face of a piece in the strip, and whether it is selected or has the focus.
 * @param {Strip} strip
 * @param {Piece} p
 * @param {number} w
 * @param {number} h
 */
function drawFace(strip, p, w, h) {
  const { s } = strip;
  const card = elementsOf(strip, p);
  const isFocused = s.view.shown.get(p.id)?.el.matches(':focus-visible') === true;
  setAttr(card.root, 'data-card', p.id);
  setAttr(card.img, 'src', artOf(s.catalog, faceAt(kindOf(s, p), p.face)));
  card.root.classList.toggle('selected', s.input.selection.has(p.id));
  card.root.classList.toggle('focused', isFocused);
  card.root.style.width = `${w}px`;
  card.root.style.height = `${h}px`;
  return card;
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
function startOf(strip, p) {
  const { lying, others } = contentsOf(strip.s, strip.press);
  return pointsFor(strip.s, lying, others)[lying.indexOf(p)] ?? { x: 0, y: 0 };
}

/** The card on which an event happened; 0: none. @param {Event} e */
function cardOf(e) {
  const target = /** @type {Element} */ (e.target).closest('[data-card]');
  return Number(target?.getAttribute('data-card') ?? 0);
}

/** @param {Strip} strip @param {PointerEvent} e */
function down(strip, e) {
  const { s } = strip;
  if (strip.press) return;
  const id = cardOf(e) || (handIn(s)?.id ?? 0); // beside the cards it means the hand
  if (!s.sync.pieces.has(id)) return;
  noteTouch(s, e);
  e.preventDefault(); // the focus goes to the piece, not to the page
  if (s.input.carry) carry.end(s);
  const { pointerId: pointer, clientX: x, clientY: y } = e;
  /** @type {Press} */
  const press = {
    pointer, id, x, y, dx: 0, dy: 0, mode: 'press', add: e.shiftKey, timer: undefined,
  };
  strip.press = press;
  if (e.pointerType !== 'mouse')
    press.timer = setTimeout(() => {
      if (press !== strip.press || press.mode !== 'press') return;
      press.mode = 'spent'; // it does not become a tap
      enlarge(s, press.id);
    }, LONG);
  s.page.handStrip.setPointerCapture(pointer);
}

/** @param {Strip} strip @param {Press} press @param {PointerEvent} e */
function move({ s, voice }, press, e) {
  press.dx = e.clientX - press.x;
  press.dy = e.clientY - press.y;
  if (press.mode === 'press' && Math.hypot(press.dx, press.dy) > SLOP) {
    clearTimeout(press.timer);
    const piece = s.sync.pieces.get(press.id);
    press.mode = !piece || isHand(s, piece) ? 'spent' : 'drag';
  }
  const isOut = e.clientY < topOf(s) - OUT;
  if (press.mode === 'drag' && isOut) lift(s, voice, press, e);
  if (press.mode === 'out') {
    if (s.input.carry) carry.move(s, e.clientX, e.clientY);
    else press.mode = 'spent'; // the hold has ended
  }
  redrawBars(s);
}

/** Reports whether a piece is a card. @param {State} s @param {number} id */
function isCard(s, id) {
  const piece = s.sync.pieces.get(id);
  return piece !== undefined && maskOf(s, piece) >= 0;
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
  const aloft = e.pointerType === 'mouse' ? 0 : ALOFT;
  const grip = toTable(s.view.camera, e.clientX, e.clientY - aloft);
  const no = carry.start(s, press.id, ids, { by: 'pointer', px: e.clientX, py: e.clientY });
  if (no) explain(s, no, voice);
  press.mode = s.input.carry ? 'out' : 'spent';
  if (s.input.carry) carry.gather(s, grip);
}

/** @param {Strip} strip @param {Press} press @param {PointerEvent} e */
function up(strip, press, e) {
  const { s } = strip;
  strip.press = null;
  clearTimeout(press.timer);
  shrink(s);
  redrawBars(s);
  if (press.mode === 'out') {
    const at = placeOver(s, e.clientX, e.clientY);
    if (at) carry.gather(s, at);
    carry.end(s, e.shiftKey && !press.add);
  } else if (press.mode === 'drag') {
    const { hand, lying, others } = contentsOf(s, press);
    if (hand) arrangeIn(s, hand, reordered(s, press, lying, others));
  } else if (press.mode === 'press') tap(strip, press, e);
}

/** @param {Strip} strip @param {Press} press @param {PointerEvent} e */
function tap({ s, taps }, { id, add }, e) {
  const piece = s.sync.pieces.get(id);
  const hand = handIn(s);
  const isSecond = taps.isSecond(id, e.timeStamp);
  const isPlayed = isSecond && isCard(s, id) && !isRack(s, hand);
  if (isPlayed && piece && hand && !refusal(s, piece, 'move')) {
    play(s, [piece], false);
    closeUp(s, hand);
    select(s, []);
    return;
  }
  focusOn(s, id, e.pointerType === 'mouse');
  if (add || s.input.many) toggle(s, id);
  else select(s, s.input.selection.has(id) && s.input.selection.size === 1 ? [] : [id]);
}

/**
 * Moves the focused card by one place in the hand: Alt or Control with the left or right arrow.
 * @param {Strip} strip
 * @param {KeyboardEvent} e
 */
function onKey(strip, e) {
  const { s, voice } = strip;
  const by = e.key === 'ArrowLeft' ? -1 : e.key === 'ArrowRight' ? 1 : 0;
  if (by === 0 || e.shiftKey || e.metaKey || !(e.altKey || e.ctrlKey) || s.input.carry) return;
  const hand = handIn(s);
  const order = hand ? contentOf(s, hand) : [];
  const from = order.findIndex((p) => p.id === focused(s));
  if (!hand || from < 0) return;
  e.preventDefault();
  const to = from + by;
  const [card] = order.splice(from, 1);
  if (to >= 0 && to <= order.length) {
    order.splice(to, 0, card);
    arrangeIn(s, hand, order);
  } else order.splice(from, 0, card);
  const place = order.indexOf(card) + 1;
  voice.whisper(msg('cards.strip.moved', { what: nameOf(s, card), place, n: order.length }));
  redrawBars(s);
}

/** @param {Strip} strip @param {Press} press */
function cancel(strip, press) {
  if (press.mode === 'out') carry.cancel(strip.s);
  clearTimeout(press.timer);
  shrink(strip.s);
  strip.press = null;
  redrawBars(strip.s);
}
