// The visible contents of hands and containers, of which everybody knows only the counts (T29):
// backs in somebody else's hand, and a pack in a deck, whose height shows the number of cards.

import { artOf, faceAt, kindAt, kindOf } from '../../view/catalog.js';
import { el, setAttr } from '../../view/dom.js';
import { fanOf } from './fan.js';
import { UNITS } from '../../view/geometry.js';
import { css, inkOn } from '../../view/colour.js';
import { drawTag } from '../../view/piece.js';
import { invalidate } from '../../view/state.js';
import { handTag, hasReferee, isAnybodyWithout, isWithout } from './handnames.js';
import { countIn, isMine } from '../../rights.js';
import { drawWithBars, redrawBars } from '../../bars/state.js';
import { msg } from './msg.js';
import { lower } from '../../messages.js';
import { seatAt } from '../../view/sides.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../view/state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */

/** The most backs that are drawn in a hand. The number beside its name gives the exact count. */
const BACKS = 26;

/** How many cards make one visible layer of a pack, and the most layers. */
const THICK = 7;
const LAYERS = 8;

/** Reports whether this file draws anything for pieces of a kind. @param {Kind} k */
function holdsPieces(k) {
  return k.hand === true || k.container !== undefined;
}

/**
 * Draws the contents of a hand or a container, if they have changed.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawHoldings(s, p, piece) {
  const k = kindOf(s, piece);
  if (!holdsPieces(k)) return;
  const key = keyOf(s, k, piece);
  if (p.el.getAttribute('data-holds') === key) return;
  setAttr(p.el, 'data-holds', key);
  p.el.querySelector(':scope > .within')?.remove();
  p.el.classList.toggle('empty', k.container !== undefined && countIn(s, piece) === 0);
  const content = k.container ? packIn(s, k, piece) : backsIn(s, k, piece);
  if (!content) return;
  if (p.img) p.img.after(content);
  else p.el.prepend(content);
}

/**
 * Draws the colour of the owner of a hand, and the text at it. A hand that nobody has is folded: it
 * is only a small text, and larger while somebody here has none. If it waits for whoever takes a
 * side of the game, even the text shows only where somebody points at it.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawHand(s, p, piece) {
  const owner = piece.owner ? s.sync.seats.get(piece.owner) : undefined;
  const isFree = piece.owner === 0;
  const inUse = s.sync.holds.get(piece.id)?.some(({ count }) => count > 0) === true;
  p.el.classList.toggle('own', isMine(s, piece));
  if (p.el.classList.contains('owned') === isFree) redrawBars(s); // and with them other free hands
  p.el.classList.toggle('owned', !isFree);
  const isFolded = isFree && !inUse && !isAnybodyWithout(s);
  p.el.classList.toggle('folded', isFolded);
  p.el.classList.toggle('waiting', isFolded && isKept(s, piece));
  p.el.style.setProperty('--owner', owner ? css(owner.colour) : 'transparent');
  p.el.style.setProperty('--owner-ink', owner ? inkOn(owner.colour) : 'inherit');
  drawTag(s, p, 'hand-name', handTag(s, piece));
}

/**
 * Reports whether a hand belongs to a side of the game that nobody has: the server keeps it for
 * whoever takes that side (T61.7).
 * @param {State} s
 * @param {Piece} hand
 */
function isKept(s, { id }) {
  const side = s.catalog.sides.findIndex(({ hand }) => hand !== undefined && hand + 1 === id);
  return side >= 0 && !seatAt(s, side + 1);
}

/**
 * Draws the hands again that nobody has, when somebody comes, goes, or gets a hand or a side.
 * @param {State} s
 */
export function bindFreeHands(s) {
  let before = '';
  return drawWithBars(s, () => {
    const taken = s.catalog.sides.map((_, i) => Number(seatAt(s, i + 1) !== undefined)).join('');
    const now = `${isAnybodyWithout(s)} ${isWithout(s, s.sync.you)} ${taken}`;
    if (now === before || !s.ready) return;
    before = now;
    for (const [id, p] of s.view.shown) {
      const piece = s.sync.pieces.get(id);
      if (piece?.owner === 0 && kindOf(s, piece).hand) drawHand(s, p, piece);
    }
  });
}

/**
 * Says of this person's racks and what lies there who sees the fronts, when the first referee comes
 * or the last one goes (T74, T96).
 * @param {State} s
 */
export function bindRacks(s) {
  let before = hasReferee(s);
  return drawWithBars(s, () => {
    const now = hasReferee(s);
    if (now === before || !s.ready) return;
    before = now;
    if (!s.catalog.racks) return;
    for (const p of s.sync.pieces.values()) if (p.owner === s.sync.you) invalidate(s, p.id);
    s.redraw();
  });
}

/**
 * Draws the number of pieces in a container.
 * @param {State} s
 * @param {Shown} p
 * @param {Piece} piece
 */
export function drawCount(s, p, piece) {
  drawTag(s, p, 'count', String(countIn(s, piece) ?? ''));
}

/**
 * Returns everything that the drawing depends on, as a text to compare.
 * @param {State} s
 * @param {Kind} k
 * @param {Piece} piece
 */
function keyOf(s, k, piece) {
  const n = countIn(s, piece);
  if (n === null) return '?';
  const sorts = (s.sync.holds.get(piece.id) ?? []).map(({ kind, count }) => `${kind}:${count}`);
  return [
    n, ...(k.container ? [] : [piece.owner === 0 || isMine(s, piece) ? 'open' : towards(piece)]),
    ...sorts,
  ].join(' ');
}

/**
 * Returns the top card of a deck, with the height of the pack. It returns null for a bag, and for a
 * deck that is empty or not counted.
 * @param {State} s
 * @param {Kind} k
 * @param {Piece} piece
 */
function packIn(s, k, piece) {
  const n = countIn(s, piece) ?? 0;
  const mask = k.container?.takes ?? uppermost(s, piece);
  if (n === 0 || mask < 0) return null;
  const card = kindAt(s.catalog, mask);
  const pack = el('span', { class: 'within pack', 'aria-hidden': 'true' }, picture(s, mask));
  const { style } = pack;
  style.width = `${card.width / UNITS}px`;
  style.height = `${card.height / UNITS}px`;
  style.borderRadius = card.shape === 'round'
    ? '50%'
    : `${(Math.min(card.width, card.height) * 0.055) / UNITS}px`;
  style.setProperty('--layers', String(Math.min(LAYERS, Math.ceil(n / THICK))));
  return pack;
}

/**
 * Returns the most frequent mask in a container that takes everything, if the container has an
 * order; else -1.
 * @param {State} s
 * @param {Piece} piece
 */
function uppermost(s, piece) {
  if (kindOf(s, piece).container?.draws !== 'top') return -1;
  const sorts = [...(s.sync.holds.get(piece.id) ?? [])].sort((a, b) => b.count - a.count);
  return sorts[0]?.kind ?? -1;
}

/**
 * Returns the backs in somebody else's hand, as a fan.
 * @param {State} s
 * @param {Kind} k
 * @param {Piece} piece
 */
function backsIn(s, k, piece) {
  if (piece.owner === 0 || isMine(s, piece)) return null;
  const sorts = s.sync.holds.get(piece.id) ?? [];
  const shown = sorts.flatMap(
    ({ kind, count }) => (kind < 0 ? [] : Array(count).fill(kind)),
  ).slice(0, BACKS);
  const others = Math.min(BACKS, sorts.find(({ kind }) => kind < 0)?.count ?? 0);
  if (shown.length + others === 0) return null;
  const sideways = k.height > k.width;
  const hand = { width: Math.max(k.width, k.height), height: Math.min(k.width, k.height) };
  const fan = el('span', { class: 'within fan', 'aria-hidden': 'true' });
  const quarter = towards(piece) - (sideways && towards(piece) % 180 === 0 ? 90 : 0);
  fan.style.transform = quarter === 0 ? '' : `rotate(${quarter}deg)`;
  const places = shown.length > 0 ? fanOf(shown.length, sizeOf(s, shown[0]), hand) : [];
  shown.forEach((mask, i) => {
    const { width, height } = sizeOf(s, mask);
    const e = picture(s, mask);
    const { x, y, angle } = places[i];
    const scale = Math.min(1, (hand.height * 0.86) / height);
    e.style.width = `${width / UNITS}px`;
    e.style.height = `${height / UNITS}px`;
    e.style.transform =
      `translate(${x / UNITS}px, ${y / UNITS}px) translate(-50%, -50%) ` +
      `rotate(${angle}deg) scale(${scale.toFixed(3)})`;
    fan.append(e);
  });
  for (let i = 0; i < others; i++) fan.append(covered(i, others, hand, shown.length > 0));
  return fan;
}

/**
 * Returns a disc that stands for a piece in a hand that is not a card.
 * @param {number} i its index among n discs in a row
 * @param {number} n
 * @param {{width: number, height: number}} hand
 * @param {boolean} before whether the row lies in front of cards
 */
function covered(i, n, hand, before) {
  const step = Math.min(150, (hand.width * 0.9) / n);
  const x = (i - (n - 1) / 2) * step;
  const y = before ? -hand.height * 0.42 : 0;
  const e = el('span', { class: 'covered' });
  e.style.transform = `translate(${x / UNITS}px, ${y / UNITS}px) translate(-50%, -50%)`;
  return e;
}

/** @param {State} s @param {number} mask */
function sizeOf(s, mask) {
  const { width, height } = kindAt(s.catalog, mask);
  return { width, height };
}

/**
 * Returns the angle in degrees at which the contents of a hand are upright for the player behind
 * it.
 * @param {Piece} piece
 */
function towards({ x, y, angle }) {
  const outside = Math.abs(y) >= Math.abs(x) ? (y < 0 ? 180 : 0) : x < 0 ? 90 : 270;
  return (outside - Math.round(angle / 9000) * 90 + 720) % 360;
}

/** @param {State} s @param {number} mask */
function picture(s, mask) {
  return el('img', {
    class: 'back', alt: '', draggable: 'false', decoding: 'async',
    src: artOf(s.catalog, faceAt(kindAt(s.catalog, mask), 0)),
  });
}

/**
 * Returns the contents of a hand or a container in words; '' if they are unknown, or if the hand
 * has no owner.
 * @param {State} s
 * @param {Piece} piece
 */
export function holdingsOf(s, piece) {
  const k = kindOf(s, piece);
  if (!holdsPieces(k) || (k.hand && piece.owner === 0)) return '';
  const n = countIn(s, piece);
  if (n === null) return '';
  if (n === 0) return msg('cards.holds.empty');
  const sorts = s.sync.holds.get(piece.id) ?? [];
  const named = sorts.map(({ kind, count }) => (kind < 0
    ? msg('core.pieces', { n: count })
    : counted(count, lower(kindAt(s.catalog, kind).name))));
  const told = sorts.reduce((sum, { count }) => sum + count, 0);
  return named.length > 0 && told === n ? named.join(', ') : msg('core.pieces', { n });
}

/** Returns some pieces of a kind, in words. @param {number} n @param {string} name */
function counted(n, name) {
  const names = /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`; // the English plural
  return msg('cards.holds.some', { n, name, names });
}
