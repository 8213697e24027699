// What is to be seen of what lies in hands and containers, of which everybody is told the number alone (T29): backs in the hand
// of somebody else, a pack in a deck, as high as there are cards in it.

import { artOf, faceAt, kindAt } from '../../view/catalog.js';
import { el, setAttr } from '../../view/dom.js';
import { fanOf } from './fan.js';
import { UNITS } from '../../view/geometry.js';
import { countIn, isMine } from '../../state.js';
import { cardwords } from './words.js';

/** @typedef {import('../../state.js').State} State */
/** @typedef {import('../../state.js').Shown} Shown */
/** @typedef {import('../../types.js').Piece} Piece */
/** @typedef {import('../../view/catalog.js').Kind} Kind */

/** Backs that are drawn in a hand at most; the number beside its name says how many there are. */
const BACKS = 26;

/** Cards for each layer of a pack that is seen, and layers at most. */
const THICK = 7;
const LAYERS = 8;

/** Whether anything is drawn here for pieces of a kind. @param {Kind} k */
export function holdsPieces(k) {
  return k.hand === true || k.container !== undefined;
}

/**
 * Draws what lies in a hand or a container, if it has changed.
 * @param {State} s @param {Shown} p @param {Piece} piece
 */
export function drawHoldings(s, p, piece) {
  const k = kindAt(s.catalog, piece.kind);
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

/** All that the drawing follows from, as a text to compare. @param {State} s @param {Kind} k @param {Piece} piece */
function keyOf(s, k, piece) {
  const n = countIn(s, piece);
  if (n === null) return '?';
  const sorts = (s.sync.holds.get(piece.id) ?? []).map(({ kind, count }) => `${kind}:${count}`);
  return [n, ...(k.container ? [] : [piece.owner === 0 || isMine(s, piece) ? 'open' : towards(piece)]), ...sorts].join(' ');
}

/** The uppermost card of a deck, as high as the pack is; nothing of a bag, and of a deck that is empty or not counted.
 * @param {State} s @param {Kind} k @param {Piece} piece */
function packIn(s, k, piece) {
  const n = countIn(s, piece) ?? 0;
  const mask = k.container?.takes ?? uppermost(s, piece);
  if (n === 0 || mask < 0) return null;
  const card = kindAt(s.catalog, mask);
  const pack = el('span', { class: 'within pack', 'aria-hidden': 'true' }, picture(s, mask));
  const { style } = pack;
  style.width = `${card.width / UNITS}px`;
  style.height = `${card.height / UNITS}px`;
  style.borderRadius = card.shape === 'round' ? '50%' : `${(Math.min(card.width, card.height) * 0.055) / UNITS}px`;
  style.setProperty('--layers', String(Math.min(LAYERS, Math.ceil(n / THICK))));
  return pack;
}

/** The mask of most of what lies in a container that takes everything, if it has an order; else -1. @param {State} s @param {Piece} piece */
function uppermost(s, piece) {
  if (kindAt(s.catalog, piece.kind).container?.draws !== 'top') return -1;
  const sorts = [...(s.sync.holds.get(piece.id) ?? [])].sort((a, b) => b.count - a.count);
  return sorts[0]?.kind ?? -1;
}

/** The backs of what lies in the hand of somebody else, held as hands hold cards. @param {State} s @param {Kind} k @param {Piece} piece */
function backsIn(s, k, piece) {
  if (piece.owner === 0 || isMine(s, piece)) return null;
  const sorts = s.sync.holds.get(piece.id) ?? [];
  const shown = sorts.flatMap(({ kind, count }) => (kind < 0 ? [] : Array(count).fill(kind))).slice(0, BACKS);
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
    e.style.transform = `translate(${x / UNITS}px, ${y / UNITS}px) translate(-50%, -50%) rotate(${angle}deg) scale(${scale.toFixed(3)})`;
    fan.append(e);
  });
  for (let i = 0; i < others; i++) fan.append(covered(i, others, hand, shown.length > 0));
  return fan;
}

/** What is no card, and lies covered in a hand: a row of discs, before the cards if there are some. @param {number} i @param {number} n
 * @param {{width: number, height: number}} hand @param {boolean} before */
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

/** By how many degrees what lies in a hand is turned there, so that whoever sits behind it sees it upright. @param {Piece} piece */
function towards({ x, y, angle }) {
  const outside = Math.abs(y) >= Math.abs(x) ? (y < 0 ? 180 : 0) : x < 0 ? 90 : 270;
  return (outside - Math.round(angle / 9000) * 90 + 720) % 360;
}

/** @param {State} s @param {number} mask */
function picture(s, mask) {
  return el('img', { class: 'back', alt: '', draggable: 'false', decoding: 'async', src: artOf(s.catalog, faceAt(kindAt(s.catalog, mask), 0)) });
}

/**
 * What lies in a hand or a container, in words; nothing if that is not told, or if it is a hand without an owner.
 * @param {State} s @param {Piece} piece
 */
export function holdingsOf(s, piece) {
  const k = kindAt(s.catalog, piece.kind);
  if (!holdsPieces(k) || (k.hand && piece.owner === 0)) return '';
  const n = countIn(s, piece);
  if (n === null) return '';
  const t = cardwords.holds;
  if (n === 0) return t.empty;
  const sorts = s.sync.holds.get(piece.id) ?? [];
  const named = sorts.map(({ kind, count }) => (kind < 0 ? t.others(count) : t.some(count, kindAt(s.catalog, kind).name)));
  const told = sorts.reduce((sum, { count }) => sum + count, 0);
  return named.length > 0 && told === n ? named.join(', ') : t.pieces(n);
}
